"""The answers of the lessons' questions, worked out: every question of a lesson must be among them."""

from handcalc.course import questions


def assert_answered(lesson, answers):
    """`answers` has for each question what its answer must be: an option's text, a number or words."""
    asked = questions.read_questions(lesson)
    assert answers.keys() == asked.keys()
    for name, expected in answers.items():
        question = asked[name]
        if question.options or isinstance(expected, str):
            assert question.answer_text == expected, name
        else:
            assert abs(float(question.answer) - expected) <= 0.5001 * 10**-question.places, name
