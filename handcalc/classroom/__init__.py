"""A class as a whole: its folder, what is handed out and comes back, marks, reports, and lessons live."""
