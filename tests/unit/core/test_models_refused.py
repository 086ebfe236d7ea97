"""What is no model that can be opened is told in one sentence; nothing in a file is run."""

import hashlib
import importlib
import json
import os
import pickle
import random
from pathlib import Path

import cases
import model_files
import numpy as np
import pytest

import handcalc as hc

pytestmark = pytest.mark.real
HERE = Path()
BERT, GPT_2 = model_files.bert, model_files.gpt_2
KEY = "encoder.layer.1.attention.self.key.weight"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """Paths in sentences are short, and the same on every machine."""
    monkeypatch.chdir(tmp_path)


def told(path, **options):
    """The sentence that opening it, and reading a few tokens, ends in."""
    sentence = cases.refusal(lambda: hc.models.load(path, **options).calculation([1, 2]))
    assert len(sentence) < 400
    return sentence.replace("model.safetensors", "FILE")


def test_a_path_that_leads_nowhere():
    assert (
        told(HERE / "gone.safetensors") == "There is no file gone.safetensors; check its name and its folder."
    )
    assert told(HERE).startswith("There is no safetensors file in ")
    for odd in (None, 7, "a\0b", ["x"]):
        with pytest.raises(hc.HandcalcError, match="is not the name of a file"):
            hc.models.load(odd)
    assert told("x" * 300).endswith("xxx cannot be read: its name is too long; choose a shorter one.")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_is_not_waited_for():
    os.mkfifo(HERE / "model.safetensors")
    for meant in (HERE, HERE / "model.safetensors"):
        assert told(meant) == "FILE is not a file; weights are read from a safetensors file."


def test_a_pickle_is_refused_and_not_run():
    class Trap:
        def __reduce__(self):
            return Path.touch, (HERE / "was_run",)

    path = HERE / "pytorch_model.bin"
    path.write_bytes(pickle.dumps(Trap()))
    for meant in (path, HERE):
        assert "is a pickle, which can run any program while it is read" in told(meant)
    path.rename(HERE / "model.safetensors")
    assert "is not a whole safetensors file" in told(HERE / "model.safetensors")
    assert not (HERE / "was_run").exists()


def test_of_several_files_it_is_not_known_which():
    for k in (1, 2):
        model_files.write(HERE, BERT(), name=f"model-0000{k}-of-00002.safetensors")
    assert "has 2 files of weights, model-00001-of-00002.safetensors and model-00002" in told(HERE)


def ones(*shape, kind="float32"):
    return np.ones(shape, kind)


def without(key):
    return {name: array for name, array in BERT().items() if name != key}


def changed(**settings):
    return model_files.BERT_SETTINGS | settings


WORDS = "embeddings.word_embeddings.weight"
BROKEN = BERT()[KEY].copy()
BROKEN[3, 4] = np.nan
OWN_OUTPUT = model_files.GPT_2_SETTINGS | {"tie_word_embeddings": False}
TURNED = {"h.0.attn.c_attn.weight": ones(36, 12)}
NEITHER = (
    "FILE has neither BERT's names of tensors nor GPT-2's, such as embeddings.word_embeddings.weight or "
    "wte.weight; it has "
)
REFUSED = [  # the tensors, what is in config.json or None, and the sentence
    (without(KEY), changed(), f"FILE lacks one of BERT's tensors: {KEY}."),
    (BERT() | {KEY: ones(12, 11)}, changed(),
     f"{KEY} in FILE is (12, 11); beside its other tensors, BERT needs (12, 12)."),
    (GPT_2() | TURNED, model_files.GPT_2_SETTINGS,
     "h.0.attn.c_attn.weight in FILE is (36, 12); beside its other tensors, GPT-2 needs (12, 36)."),
    *(
        (BERT() | {WORDS: ones(*shape)}, changed(),
         f"{WORDS} in FILE is ({', '.join(map(str, shape))}); it must have 2 axes, not empty.")
        for shape in ((), (0, 12), (11, 0), (11,), (11, 12, 1))
    ),
    (GPT_2(), OWN_OUTPUT, "FILE lacks one of GPT-2's tensors: lm_head.weight."),
    (GPT_2() | {"lm_head.weight": ones(10, 12)}, OWN_OUTPUT, "lm_head.weight in FILE is (10, 12); "),
    (BERT() | {KEY: ones(12, 12, kind="int64")}, changed(),
     f"{KEY} in FILE holds numbers of the kind 'I64'; weights may be F64, F32, F16 and BF16."),
    (BERT() | {KEY: BROKEN}, changed(), f"{KEY} in FILE holds nan; a weight must be a finite number."),
    ({"model.layers.0.mlp.up_proj.weight": ones(2, 2)}, None, f"{NEITHER}model.layers.0.mlp.up_proj.weight."),
    ({}, None, f"{NEITHER}none."),
    ({"\x1b[31mw\n": ones(1)}, None, f"{NEITHER}�[31mw�."),
    *((BERT(), settings, sentence) for settings, sentence in (
        (changed(model_type="roberta"), "FILE is a model of the kind 'roberta'; handcalc reads bert and"),
        (changed(model_type=["bert"]), "FILE is a model of the kind ['bert']; handcalc reads bert and gpt2."),
        (changed(model_type="gpt2"), "config.json says gpt2, but FILE has BERT's names."),
        (changed(num_attention_heads=5), "12 features cannot be divided equally among 5 heads."),
        (changed(num_attention_heads=0), "num_attention_heads in config.json is 0; it must be at least 1."),
        (changed(num_attention_heads="3"), "num_attention_heads in config.json is '3'; it must be a whole"),
        (changed(num_hidden_layers=3), "config.json says 3 layers, but FILE has 2."),
        (changed(hidden_act="silu"), "hidden_act in config.json is 'silu'; handcalc knows gelu, gelu_new,"),
        (changed(layer_norm_eps=-1), "layer_norm_eps in config.json is -1; it must be a finite number"),
        (changed(position_embedding_type="relative_key"),
         "position_embedding_type in config.json is 'relative_key'; handcalc knows only 'absolute'."),
        ([1, 2], "config.json holds a list; a file of settings is a JSON object."),
        (b"{", "config.json is not JSON; download it again."),
        (b"[" * 100_000, "config.json is not JSON; download it again."),
        (b"\xff\xfe", "config.json is not JSON; download it again."),
    )),
]  # fmt: skip


@pytest.mark.parametrize(("tensors", "settings", "sentence"), REFUSED)
def test_tensors_or_settings_that_do_not_fit(tensors, settings, sentence):
    path = model_files.write(HERE, tensors, None if isinstance(settings, bytes) else settings)
    if isinstance(settings, bytes):
        (HERE / "config.json").write_bytes(settings)
    assert told(path).startswith(sentence)


def test_heads_that_are_not_told_or_told_wrongly():
    path = model_files.write(HERE, BERT())
    assert told(path).endswith("say it as in hc.models.load(path, heads=12).")
    for heads, sentence in (
        ("two", "The number of heads is 'two'; it must be a whole number."),
        (0, "The number of heads is 0; it must be at least 1."),
        (5, "12 features cannot be divided equally among 5 heads."),
    ):
        assert told(path, heads=heads) == sentence
    model_files.write(HERE, BERT(), model_files.BERT_SETTINGS)
    assert told(path, heads=4) == "The number of heads is 4; it must be 3, as config.json says."


def test_weights_of_minilm_that_are_not_the_published_ones_are_not_read(monkeypatch):
    model_files.write(HERE, BERT(), model_files.BERT_SETTINGS)
    minilm = importlib.import_module("handcalc.models.minilm")  # the room has a function of this name
    monkeypatch.setattr(minilm, "folder", lambda: HERE)
    monkeypatch.setattr("handcalc.models.tensors.Tensors.__init__", None)  # which would read them
    minilm._model.cache_clear()
    found = hashlib.sha256((HERE / "model.safetensors").read_bytes()).hexdigest()[:12]
    assert cases.refusal(lambda: hc.models.minilm("It rains.")) == (
        "model.safetensors is not MiniLM as it was published: "
        f"its SHA-256 is {found}…, not 53aa51172d14…; install it again."
    )


@pytest.mark.parametrize("length", [2**63, 10**8, 20_000])
def test_a_header_that_is_longer_than_the_file_or_than_any_models_is_not_read(length):
    path = model_files.write(HERE, BERT(), model_files.BERT_SETTINGS)
    path.write_bytes(length.to_bytes(8, "little") + path.read_bytes()[8:].ljust(30_000)[:19_000])
    assert told(path) == (
        f"FILE is not a whole safetensors file (its header would have {length:,} bytes); download it again."
    )


def test_a_file_that_is_larger_than_any_models_and_tensors_that_are_larger_than_their_file(monkeypatch):
    path = model_files.write(HERE, BERT(), model_files.BERT_SETTINGS)
    whole = path.read_bytes()
    for old, new in [(b"[12, 12]", b"[12,120]"), (b"[11, 12]", b"[99, 12]")]:
        path.write_bytes(whole.replace(old, new, 1))
        assert "is not a whole safetensors file" in told(path)
    monkeypatch.setattr("handcalc.models.checksums.MAX_WEIGHTS_BYTES", 1000)
    assert told(path) == f"FILE has {len(whole):,} bytes; handcalc opens up to 1,000."


def test_a_model_that_would_not_fit_into_memory(monkeypatch):
    monkeypatch.setattr("handcalc.models.architectures.MAX_MODEL_NUMBERS", 1000)
    path = model_files.write(HERE, BERT(), model_files.BERT_SETTINGS)
    assert "handcalc opens models of up to 1,000" in told(path)


@pytest.mark.parametrize(
    ("tokens", "sentence"),
    [
        ([], "There are no tokens; the model needs at least one."),
        ([1] * 10, "There are 10 tokens, but the model reads at most 9; hand in fewer."),
        ([11], "Token 11 is not in the vocabulary, which has the numbers 0 to 10."),
        ([-1], "Token -1 is not in the vocabulary, which has the numbers 0 to 10."),
        ([1.5], "A token is 1.5; it must be a whole number."),
        (None, "The text is None; it must be words in quotes, or a list of token numbers."),
        ({1: 2}, "The text is {1: 2}; it must be words in quotes, or a list of token numbers."),
        (
            "it",
            "There is no tokenizer.json beside the weights, so words have no numbers: hand in a list",
        ),
    ],
)
def test_tokens_that_cannot_be_read(tokens, sentence):
    model = hc.models.load(model_files.write(HERE, BERT(), model_files.BERT_SETTINGS))
    assert cases.refusal(lambda: model.calculation(tokens)).startswith(sentence)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"model": {"type": "WordLevel"}}', "\ud800"])
def test_a_tokenizer_that_is_none(text):
    path = model_files.write(HERE, BERT(), model_files.BERT_SETTINGS)
    (HERE / "tokenizer.json").write_text(text, "utf-8", "surrogatepass")
    assert told(path) == "tokenizer.json is not a tokenizer that can be read; download it again."


def test_a_tokenizer_that_breaks_while_it_cuts():
    parts = [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]
    broken = {
        "version": "1.0",
        "model": {"type": "WordLevel", "vocab": {"it": 1}, "unk_token": "it"},
        "post_processor": {
            "type": "TemplateProcessing", "single": parts, "pair": parts, "special_tokens": {},
        },
    }  # fmt: skip
    path = model_files.write(HERE, BERT(), model_files.BERT_SETTINGS)
    (HERE / "tokenizer.json").write_text(json.dumps(broken), "utf-8")
    with pytest.raises(hc.HandcalcError, match=r"^tokenizer\.json cannot cut this text into tokens; "):
        hc.models.load(path).calculation("it")


def test_what_is_cut_short_or_has_wrong_bytes_is_refused_or_still_a_model():
    whole = model_files.write(HERE, BERT(), model_files.BERT_SETTINGS).read_bytes()
    path, draw = HERE / "model.safetensors", random.Random(7)
    refused = 0
    for _ in range(150):
        data = bytearray(whole)
        for _ in range(draw.randint(1, 3)):
            data[draw.randrange(draw.choice((16, 4000, len(data))))] = draw.randrange(256)
        path.write_bytes(data[: draw.randrange(len(data))] if draw.random() < 0.3 else data)
        try:
            hc.models.load(path).calculation([1, 2])
        except hc.HandcalcError:
            refused += 1
    assert 50 < refused < 150
