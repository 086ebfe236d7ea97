"""Requests of phones, of the teacher's page and of the projector: what may be asked, and what answers."""
