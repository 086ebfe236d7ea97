"""Lesson 15: a GPT that was trained to sort six letters, against its author's numbers, numpy and PyTorch."""

import base64
import math
from functools import cache

import curriculum
import lesson_answers
import numpy as np
import pytest
import sorting_oracle
from numpy.testing import assert_allclose, assert_array_equal

import handcalc as hc

FILE, PUBLIC = curriculum.load("l_sort_gpt")["derived"], curriculum.load("sort_gpt_public")
SAMPLE = sorting_oracle.ALL[5::61]  # 12 of 729
EXACT = {"rtol": 1e-11, "atol": 1e-12}  # the same sums in another order


@cache
def sorting(text="AACBAB", written=""):
    return hc.examples.sorting_gpt(text, written)


def public(name):
    return np.frombuffer(base64.b64decode(PUBLIC[name]), "<f4").reshape(3, 11, 3)


# the numbers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", range(3))
def test_logits_and_probabilities_are_those_that_its_author_published(k):
    text = PUBLIC["inputs"][k]
    calculation = sorting(text[:6], text[6:])
    assert_allclose(calculation["logits"].values.T, public("logits")[k], rtol=0, atol=1e-5)
    assert_allclose(calculation["P"].values.T, public("probabilities")[k], rtol=0, atol=1e-6)


def test_the_shares_of_the_first_sample_are_those_of_the_file():
    looks = sorting("AACBAB", "AAABB")["layer_3.attention.head_1.A"].values[:, 5]
    assert_allclose(looks, FILE["first_sample"]["layer_3_head_1_last_letter_looks"], atol=5e-5)


@pytest.mark.parametrize("written", ["", "AA", "AAABB"])
def test_every_column_of_logits_equals_plain_numpy(written):
    for text in ("CABAAB", "BBBBBB", "CCBBAA"):
        (expected,) = sorting_oracle.logits([text + written])
        assert_allclose(sorting(text, written)["logits"].values.T, expected, **EXACT)


def test_it_has_as_many_weights_as_were_trained():
    config = FILE["config"]
    d, layers, words, places = config["d_model"], config["layers"], config["vocabulary"], config["context"]
    of_a_layer = 4 * d * d + 4 * d + 8 * d * d + 5 * d + 4 * d
    expected = layers * of_a_layer + words * d + places * d + 2 * d + words * d
    assert expected == 85_728
    assert sum(given.values.size for given in sorting().givens.values()) == expected
    # the reference counts without the biases of queries, keys and values
    assert FILE["weights"] == expected - layers * 3 * d


# what it does --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_it_sorts_729_of_729():
    assert [sorting_oracle.count_sorted(), len(sorting_oracle.ALL)] == FILE["sorted_right_by_greedy"]


@pytest.mark.parametrize("text", [*SAMPLE, "AACBAB"])
def test_the_record_sorts_letter_by_letter(text):
    assert hc.examples.sort_letters(text) == "".join(sorted(text))


@pytest.mark.sweep  # 81 texts through the record, 486 letters; the reference sorts all 729
def test_the_record_sorts_every_ninth():
    for text in sorting_oracle.ALL[::9]:
        assert hc.examples.sort_letters(text) == "".join(sorted(text))


def test_it_writes_as_the_published_sample_does():
    writing = hc.examples.sorting_gpt_writing(FILE["first_sample"]["letters_read"])
    assert "".join(hc.generated_words(writing)) == FILE["first_sample"]["letters_written"]
    for k, expected in enumerate(FILE["first_sample"]["probabilities"], start=1):
        assert_allclose(writing[f"word_{k}.p_next"].values[:, 0], expected, atol=5e-5)


def test_each_letter_is_a_block_that_reads_what_was_written_before():
    writing = hc.examples.sorting_gpt_writing("CABAAB", count=3)
    blocks = [path for path in writing.blocks if "." not in path]
    assert blocks == ["word_1", "word_2", "word_3"]
    assert [writing.blocks[path].title for path in blocks] == ["Letter 1", "Letter 2", "Letter 3"]
    assert writing["word_3.X"].columns == (*"CABAAB", "letter 1", "letter 2")
    assert_array_equal(writing["word_3.logits"].values, sorting("CABAAB", "AA")["logits"].values)
    weights = [name for name in writing.givens if name.endswith("W_Q")]
    assert len(weights) == 9  # shared by all letters
    # another first letter, and other letters follow
    moved = writing.with_givens(W_E=writing["W_E"].values[:, [2, 1, 0]])
    assert moved["word_1.P"].rows == ("A", "B", "C")


# what it says --------------------------------------------------------------------------------------


def test_letters_are_the_labels_and_every_block_says_why():
    calculation = sorting("CABAAB", "A")
    for name in ("X", "placed", "logits", "P", "layer_1.norm_1.N", "layer_2.attention.Z", "layer_3.add_2.R"):
        assert calculation[name].columns == tuple("CABAABA")
    assert calculation["P"].rows == calculation["logits"].rows == ("A", "B", "C")
    shares = calculation["layer_2.attention.head_3.A"]
    assert shares.rows == shares.columns == tuple("CABAABA")
    for path, part in calculation.blocks.items():
        assert part.title, path
        assert part.why, path
    titles = [calculation.blocks[path].title for path in ("layer_2", "layer_2.attention.head_3", "norm")]
    assert titles == ["Layer 2", "Attention head 3", "Final layer norm"]
    assert all(step.stage for step in calculation.steps.values())
    assert calculation.title == "A trained GPT sorts CABAAB, after A"


def test_the_formulas_read_as_for_any_model():
    calculation = sorting()
    formulas = [calculation.blocks[p].steps[n].formula for p, n in (
        ("layer_1.attention.head_2", "Q"), ("layer_1.attention", "Z"), ("layer_3.ff", "H_gelu"),
        ("layer_3.ff", "Y"),
    )]  # fmt: skip
    assert formulas == ["Q = W_Q N + b_Q", "Z = W_O concat + b_O", "H_gelu = GELU(H)", "Y = W_2 H_gelu + b_2"]
    assert calculation["logits"].formula == "logits = W_out norm.N"


def test_whose_weights_they_are_stands_beside_them():
    licence = sorting_oracle.FILE.with_name("sorting_gpt_LICENSE.txt").read_text("utf-8")
    assert "Copyright (c) 2023-2026 Brendan Bycroft" in licence
    assert "Permission is hereby granted, free of charge" in licence


# the questions -----------------------------------------------------------------------------------


def greedy(text, off):
    """What is written letter by letter, of many texts at once, with heads off."""
    texts = [text] if isinstance(text, str) else list(text)
    for _ in range(6):
        said = sorting_oracle.logits(texts, off, np.float32)[:, -1].argmax(-1)
        texts = [text + "ABC"[k] for text, k in zip(texts, said, strict=True)]
    return [text[6:] for text in texts]


THREE = [(1, 1), (1, 2), (1, 3)]


def next_a(text, off):
    """How probable an A is next, with heads off."""
    scores = np.exp(sorting_oracle.logits([text], off, np.float32)[0, -1].astype(float))
    return float(scores[0] / scores.sum())


def test_every_answer_is_worked_out():
    tensors = sorting_oracle.tensors()
    (first,), (probabilities,) = sorting_oracle.logits(["CABAAB"]), public("probabilities")[:1]
    assert "ABC"[first[5].argmax()] == "A"
    assert np.exp(first[5]).max() / np.exp(first[5]).sum() > 0.9999
    assert probabilities[5].argmax() == 0  # AACBAB, too, begins with A
    of_ff = sum(v.size for name, v in tensors.items() if ".mlp." in name)
    of_heads = sum(v.size for name, v in tensors.items() if ".attn." in name)
    assert (of_ff, of_heads) == (56_016, 28_224)
    shares = [sorting("CABAAB", "AAABB")[f"layer_1.attention.head_{h}.A"].values[:, 10] for h in (1, 2, 3)]
    assert [round(float(A[0]), 2) for A in shares] == [0.64, 0.61, 0.96]
    due = {head: next_a("CABAAAAAA", [head]) for head in ((1, 1), (1, 3))}
    assert f"{due[1, 3]:.2f}" == "0.97"
    lesson_answers.assert_answered("sorting", {
        "which_column": "the last",
        "most_weights": "in the feed-forward networks",
        "gelu_of_minus_one": -0.5 * (1 + math.tanh(math.sqrt(2 / math.pi) * -1.044715)),
        "last_columns": tensors["wpe.weight"].shape[0],
        "where_it_looks": "the C" if shares[2].argmax() == 0 else "",
        "without_head_3": "more than 700" if sorting_oracle.count_sorted([(1, 3)]) == 711 else "",
        "without_three": greedy("CABAAB", THREE)[0],
        "fourth_a": f"about {due[(1, 1)]:.2f}",
    })  # fmt: skip


@pytest.mark.slow
def test_without_layer_1_it_no_longer_counts():
    """282 of 729 texts become AABBCC; without one head those with many of one letter go wrong."""
    found = greedy(sorting_oracle.ALL, THREE)
    assert found.count("AABBCC") == 282
    assert sum("".join(sorted(text)) == "AABBCC" for text in sorting_oracle.ALL) == 90
    assert sum(a == "".join(sorted(text)) for a, text in zip(found, sorting_oracle.ALL, strict=True)) == 267
    for head in (1, 2, 3):
        right = sorting_oracle.is_sorted(((1, head),))
        wrong = [text for text, is_right in zip(sorting_oracle.ALL, right, strict=True) if not is_right]
        assert 729 - len(wrong) == hc.examples.sorted_without().values[0, head - 1]
        assert all(max(map(text.count, "ABC")) >= 4 for text in wrong)


@pytest.mark.slow
def test_the_record_of_all_letters_writes_as_numpy_does_without_three_heads():
    writing = hc.examples.sorting_gpt_writing("CABAAB")
    three = [path for path in writing.what_ifs["ablate"].choices if ".layer_1.attention.head_" in path]
    assert len(three) == 18
    without = writing.what_if(ablate=three)
    assert "".join(hc.generated_words(without)) == greedy("CABAAB", THREE)[0] == "AABBCC"
    assert without.title.endswith(", what if: without 18 parts")


def test_gelu_with_tanh_is_within_a_thousandth_of_the_exact_one():
    x = np.linspace(-8, 8, 3201)[None]
    assert abs(hc.gelu(x).values - hc.gelu(x, approximate=False).values).max() < 0.001
