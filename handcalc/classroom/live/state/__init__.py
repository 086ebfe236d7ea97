"""Who is in a class, what each has done, and what the teacher has decided; no web here."""
