"""Submissions: notebooks, practice logs, tables, folders, .zip files; read, and never run."""
