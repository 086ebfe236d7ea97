"""The course: a folder for each lesson (`heads/`), beside it what all lessons share.

A lesson's folder has lesson.toml (its number, title, minutes, what it needs, its templates) and, where the
lesson has such a thing, questions.toml, examples.py, figures.py and topics.py. `make course` writes from them
what README, notebooks, docs/teaching and templates say of the lessons.
"""

from handcalc.course import examples as examples
