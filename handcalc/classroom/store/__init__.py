"""The database of a live class: SQLite in its folder, or PostgreSQL."""
