"""Oracle of lesson 09's decoder: loops, with the weights of the example and no operation of handcalc's."""

import loops

import handcalc as hc

MODEL = hc.examples.all_at_once("cat", ("<start>",))
GIVENS = {name: given.values.tolist() for name, given in MODEL.givens.items()}
SOURCE, TARGET = ["small", "black", "cat", "house", "."], hc.examples.SPANISH


def columns(table, words, vocabulary):
    return [[row[vocabulary.index(word)] for word in words] for row in table]


def steps(read, said, *, masked=True, temperature=1.0, nothing_read=False):
    """All steps by name for words that are read and words that are fed in."""
    X = columns(GIVENS["E_target"], said, TARGET)
    memory = columns(GIVENS["E_source"], read, SOURCE)
    n = len(said)
    allowed = [[key <= query or not masked for query in range(n)] for key in range(n)]
    own = loops.attention(X, X, *(GIVENS[f"self.W_{one}"] for one in "QKV"), allowed=allowed)
    R_1 = loops.add(X, loops.product(GIVENS["self.W_O"], own["Z"]))
    cross = loops.attention(R_1, memory, *(GIVENS[f"cross.W_{one}"] for one in "QKV"))
    R_2 = R_1 if nothing_read else loops.add(R_1, cross["Z"])
    logits = loops.product(GIVENS["W_out"], R_2)
    P = loops.softmax([[score / temperature for score in row] for row in logits])
    named = {"X": X, "memory": memory, "R_1": R_1, "R_2": R_2, "logits": logits, "P": P}
    found = loops.product(GIVENS["self.W_O"], own["Z"])
    return named | {"self.found": found} | loops.prefixed("self.", own) | loops.prefixed("cross.", cross)


def highest(numbers):
    return numbers.index(max(numbers))


def translated(sentence):
    """Greedy, word by word, <end> included."""
    read, said = [*sentence.split(), "."], ["<start>"]
    while said[-1] != "<end>" and len(said) < 9:
        P = steps(read, said)["P"]
        said.append(TARGET[highest([row[-1] for row in P])])
    return said[1:]
