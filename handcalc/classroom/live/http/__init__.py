"""Requests of phones, of the teacher's page and of the projector, and their handlers."""
