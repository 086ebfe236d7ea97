"""The answers to the questions that a class is asked in the end, worked out: a function for each page."""

import loops

WORKED: dict[str, dict[str, str]] = {}  # page -> {question: answer}


def written(value: float, places: int = 2) -> str:
    """A number as the pages write it."""
    text = f"{value:.0f}" if abs(value - round(value)) < 1e-9 else f"{value:.{places}f}"
    return text.replace("-", "−")


def page(name: str):
    """Makes what a function returns the answers of a page in docs/teaching."""

    def enter(answers):
        WORKED[name] = answers()
        return answers

    return enter


def sentence():
    """X of the sentence with "it": thing, alive, moves, seeks thing, seeks life."""
    return [
        [2, 0, 0, 2, 0, 0, 0, 0, 0],
        [2, 0, 0, -2, 0, 0, 0, 0, 1],
        [3, 0, 2, 0, 0, 0, 0, 0, -1],
        [0, 0, 1, 0, 0, 2, 1, 0, 1],
        [0, 0, 0, 0, 0, 1, 0, 0, 2],
    ]


@page("01_queries_keys_values")
def queries_keys_values():
    X = sentence()
    q_it = [X[3][5], X[4][5]]
    scores = [X[0][k] * q_it[0] + X[1][k] * q_it[1] for k in range(9)]
    k, q = [2, 1, 0], [2, 1, 1]  # key 2 and query 4 of the worked example
    return {
        "A row of W_Q meets a column of X that has 6 numbers. How many numbers must the row have?": "6",
        "Which of query, key and value do others find a token by?": "the key",
        "Key 2 is 2, 1, 0 and query 4 is 2, 1, 1. What is their score?": written(
            loops.product([k], [[x] for x in q])[0][0]
        ),
        "Two arrows meet at a right angle. What is their dot product?": written(1 * 2 + 2 * -1),
        "“it” asks with (2, 1). What does it score “animal”, whose key is (2, 2)?": written(scores[0]),
    }
