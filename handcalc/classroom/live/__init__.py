"""A class as it happens: phones, the teacher's page, and who is where."""
