"""Models of BERT's and GPT-2's names from a file: equal to PyTorch's own layers, whatever they are called."""

import hashlib
import json
from functools import cache
from importlib import import_module
from threading import Thread
from time import sleep

import model_files
import models_from_torch
import numpy as np
import pytest
from numpy.testing import assert_allclose

import handcalc as hc
from handcalc.models.layer_weights import read_layers

minilm = import_module("handcalc.models.minilm")  # the room has a function of this name
pytestmark = pytest.mark.real
TOKENS = [3, 1, 4, 1, 5, 9, 2]
# Both compute in float64, in another order.
ROUNDING = {"rtol": 1e-10, "atol": 1e-11}
WORDS = {
    "version": "1.0",
    "pre_tokenizer": {"type": "Whitespace"},
    "truncation": {"max_length": 2, "strategy": "LongestFirst", "stride": 0, "direction": "Right"},
    "padding": {
        "strategy": {"Fixed": 8}, "direction": "Right", "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]",
        "pad_to_multiple_of": None,
    },
    "model": {
        "type": "WordLevel", "vocab": {"[PAD]": 0, "it": 1, "was": 2, "tired": 3}, "unk_token": "[PAD]",
    },
}  # fmt: skip


@pytest.fixture
def bert(tmp_path):
    return model_files.write(tmp_path, model_files.bert(), model_files.BERT_SETTINGS)


@pytest.fixture
def gpt_2(tmp_path):
    return model_files.write(tmp_path, model_files.gpt_2(), model_files.GPT_2_SETTINGS)


def test_bert_equals_pytorchs_own_layers(torch, bert):
    calculation = hc.models.load(bert).calculation(TOKENS)
    forward = models_from_torch.bert(torch, model_files.bert(), model_files.HEADS, "float64")
    embedded, *layers = forward(TOKENS)
    assert_allclose(calculation["embedding.norm.N"].values, embedded.numpy().T, **ROUNDING)
    for number, found in enumerate(layers, start=1):
        assert_allclose(calculation[f"layer_{number}.add_norm_2.norm.N"].values, found.numpy().T, **ROUNDING)


def test_gpt_2_equals_pytorchs_own_layers(torch, gpt_2):
    calculation = hc.models.load(gpt_2).calculation(TOKENS)
    logits, _ = models_from_torch.gpt_2(torch, model_files.gpt_2(), TOKENS, model_files.HEADS, "float64")
    assert_allclose(calculation["logits"].values, logits.detach().numpy().T, **ROUNDING)


def test_its_slopes_are_those_of_autograd(torch, gpt_2):
    logits = hc.models.load(gpt_2).calculation(TOKENS[:-1])["logits"]
    loss = hc.cross_entropy(hc.softmax(logits).named("P"), TOKENS[1:])
    slopes = hc.gradients(hc.Calculation(loss.named("L")), "L").of("W_E")
    found, table = models_from_torch.gpt_2(
        torch, model_files.gpt_2(), TOKENS[:-1], model_files.HEADS, "float64"
    )
    torch.nn.functional.cross_entropy(found, torch.tensor(TOKENS[1:]), reduction="sum").backward()
    assert_allclose(slopes.values, table.grad.numpy().T, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize(
    ("tensors", "prefix"), [(model_files.bert, "bert."), (model_files.gpt_2, "transformer.")]
)
def test_names_may_have_a_prefix_and_a_file_more_tensors(tmp_path, tensors, prefix):
    plain, prefixed = tmp_path / "plain", tmp_path / "prefixed"
    plain.mkdir()
    prefixed.mkdir()
    model_files.write(plain, tensors())
    named = {prefix + name: array for name, array in tensors().items()}
    more = {"cls.bias": np.ones(3, "float32"), "position_ids": np.arange(9)}
    model_files.write(prefixed, more | named)
    found = [
        hc.models.load(folder, heads=3).calculation(TOKENS).result.values for folder in (plain, prefixed)
    ]
    assert_allclose(found[0], found[1], rtol=0)


def test_without_config_sizes_are_read_off_the_tensors_and_heads_are_told(tmp_path, bert):
    told = hc.models.load(bert).calculation(TOKENS)
    (tmp_path / "config.json").unlink()
    assert repr(hc.models.load(bert, heads=3)) == (
        "BERT: 2 layers of 3 heads, 12 features, 11 tokens in its vocabulary, at most 9 tokens in a text; "
        f"sha256 {hashlib.sha256(bert.read_bytes()).hexdigest()[:12]}…"
    )
    assert_allclose(
        hc.models.load(tmp_path, heads=3).calculation(TOKENS).result.values, told.result.values, rtol=0
    )
    other = hc.models.load(bert, heads=2).calculation(TOKENS)
    assert not np.allclose(other.result.values, told.result.values)


def test_layer_norms_may_have_the_names_of_berts_first_files(tmp_path, bert):
    told = hc.models.load(bert).calculation(TOKENS).result.values
    old = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): array
        for name, array in model_files.bert().items()
    }
    model_files.write(tmp_path, old, model_files.BERT_SETTINGS)
    assert_allclose(hc.models.load(tmp_path).calculation(TOKENS).result.values, told, rtol=0)


@pytest.mark.parametrize("kind", ["float64", "float16", "bfloat16"])
def test_numbers_of_other_widths_are_read_as_what_they_are(tmp_path, kind):
    halves = {name: array.view(np.uint32) >> 16 for name, array in model_files.bert().items()}
    stored = {
        "float64": {name: array.astype("float64") for name, array in model_files.bert().items()},
        "float16": {name: array.astype("float16") for name, array in model_files.bert().items()},
        "bfloat16": {name: half.astype("uint16") for name, half in halves.items()},
    }[kind]
    exact = (
        {name: (half << 16).view(np.float32) for name, half in halves.items()}
        if kind == "bfloat16"
        else stored
    )
    model_files.write(tmp_path, stored, model_files.BERT_SETTINGS)
    calculation = hc.models.load(tmp_path).calculation(TOKENS)
    W = exact["encoder.layer.1.attention.self.key.weight"]
    assert_allclose(calculation["layer_2.attention.head_3.W_K"].values, W[8:12].astype(float), rtol=0)
    words = exact["embeddings.word_embeddings.weight"].astype(float)[[3, 1, 4, 5, 9, 2]]
    assert_allclose(calculation["embedding.W_E"].values, words.T, rtol=0)


@pytest.mark.parametrize("prefix", ["", "transformer."])
def test_the_output_is_the_table_of_words_unless_the_files_say_otherwise(tmp_path, prefix):
    tensors = {prefix + name: array for name, array in model_files.gpt_2().items()}
    tensors["lm_head.weight"] = np.full((11, 12), 0.5, "float32")
    settings = model_files.GPT_2_SETTINGS
    path = model_files.write(tmp_path, tensors)
    own = [hc.models.load(path, heads=3).calculation(TOKENS)]
    for is_tied in (False, True):
        model_files.write(tmp_path, tensors, settings | {"tie_word_embeddings": is_tied})
        own.append(hc.models.load(tmp_path).calculation(TOKENS))
    tied = own.pop()
    assert str(tied["logits"].formula) == "logits = W_Eᵀ norm.N"
    for calculation in own:
        sums = 0.5 * calculation["norm.N"].values.sum(axis=0)
        assert_allclose(calculation["logits"].values, np.tile(sums, (11, 1)), atol=1e-12)


def test_text_is_cut_by_the_tokenizer_beside_it_and_never_cut_short(tmp_path, gpt_2):
    (tmp_path / "tokenizer.json").write_text(json.dumps(WORDS), "utf-8")
    model = hc.models.load(gpt_2)
    assert model.tokens("it was tired") == ((1, 2, 3), ("it", "was", "tired"))
    calculation = model.calculation("it was tired")
    assert calculation["layer_2.attention.head_1.A"].columns == ("it", "was", "tired")
    assert calculation["logits"].rows == ("[PAD]", "it", "was", "tired", *map(str, range(4, 11)))
    assert calculation.title == "GPT-2: it was tired"


@pytest.mark.parametrize(
    ("modules", "mode", "result"),
    [
        (["Transformer", "Pooling", "Normalize"], "mean_tokens", "sentence.embedding"),
        (["Transformer", "Pooling"], "mean_tokens", "sentence.mean"),
        (["Transformer", "Pooling"], "cls_token", "layer_2.add_norm_2.norm.N"),  # not known, so left out
        (["Transformer", "Pooling", "Dense"], "mean_tokens", "layer_2.add_norm_2.norm.N"),
    ],
)
def test_a_model_for_sentences_ends_as_its_files_say(tmp_path, bert, modules, mode, result):
    listed = [{"type": f"sentence_transformers.models.{name}"} for name in modules]
    (tmp_path / "modules.json").write_text(json.dumps(listed), "utf-8")
    (tmp_path / "1_Pooling").mkdir()
    ways = {f"pooling_mode_{name}": name == mode for name in ("mean_tokens", "cls_token")}
    (tmp_path / "1_Pooling" / "config.json").write_text(json.dumps({"dim": 12} | ways), "utf-8")
    calculation = hc.models.load(bert).calculation(TOKENS)
    assert calculation.result.name == result
    if "sentence.mean" in calculation:
        mean = calculation["layer_2.add_norm_2.norm.N"].values.mean(axis=1)
        assert_allclose(calculation["sentence.mean"].values[:, 0], mean, rtol=1e-12)


def test_all_records_of_a_model_share_its_weights(bert):
    model = hc.models.load(bert)
    first, second = model.calculation(TOKENS), model.calculation([7, 8])
    weights = [name for name in first.givens if name.startswith("layer_")]
    assert len(weights) == 2 * (3 * 6 + 2 + 4 + 4)
    assert all(np.shares_memory(first[name].values, second[name].values) for name in weights)


def test_threads_that_come_first_together_read_a_model_once(bert, monkeypatch):
    opened = []

    def slowly(make):
        def made(*arguments, **options):
            opened.append(make.__name__)
            sleep(0.05)
            return make(*arguments, **options)

        return made

    monkeypatch.setattr(minilm, "_model", cache(slowly(lambda: hc.models.load(bert))))
    monkeypatch.setattr("handcalc.models.model.read_layers", slowly(read_layers))
    threads = [Thread(target=lambda: minilm.model().calculation(TOKENS)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert opened == ["<lambda>", "read_layers"]


def test_every_block_has_a_title_and_a_reason(bert, gpt_2):
    for path in (bert, gpt_2):
        blocks = hc.models.load(path, heads=3).calculation(TOKENS).blocks
        assert all(block.title and block.why for block in blocks.values()), blocks


def test_numbers_are_explained_and_words_stay_on_their_columns(bert):
    calculation = hc.models.load(bert).calculation([3, 1])
    word, place, kind = (calculation[f"embedding.{name}"].values[0, 0] for name in ("words", "W_P", "W_T"))
    name, substituted, result = str(calculation.explain("embedding.X", 0, 0, places=4)).split(" = ")
    assert name == "embedding.X[1,1]"
    assert substituted == " + ".join(f"({x:.4f})" if x < 0 else f"{x:.4f}" for x in (word, place, kind))
    assert float(result) == pytest.approx(word + place + kind, abs=5e-5)
    assert calculation["layer_2.ff.Y"].columns == ("3", "1")
