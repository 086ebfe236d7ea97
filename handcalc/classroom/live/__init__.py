"""A class as it happens: phones, the teacher's page, and the people who are present."""
