"""The course: a folder for each lesson (`heads/`), beside it what all lessons share.

A lesson's folder has lesson.toml (number, title, minutes, the lessons it needs, templates) and, if the lesson
has any, questions.toml, examples.py, figures.py and topics.py. From these `make course` writes the parts on
lessons in README, notebooks, docs/teaching and templates.
"""

from handcalc.course import examples as examples
