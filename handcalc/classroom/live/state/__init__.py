"""State of a live class: people, their work, the teacher's decisions; no web here."""
