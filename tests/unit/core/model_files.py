"""Small trained models as files: BERT's names and GPT-2's, with random weights, written byte by byte."""

import json
from pathlib import Path

import numpy as np

SIZES = {"d": 12, "d_ff": 20, "vocabulary": 11, "places": 9, "layers": 2}  # 2 layers of 3 heads
HEADS = 3
CODES = {"float64": "F64", "float32": "F32", "float16": "F16", "int64": "I64", "uint16": "BF16"}
BERT_SETTINGS = {
    "model_type": "bert",
    "num_attention_heads": HEADS,
    "num_hidden_layers": 2,
    "hidden_act": "gelu",
}
GPT_2_SETTINGS = {"model_type": "gpt2", "n_head": HEADS, "n_layer": 2, "activation_function": "gelu_new"}


def bert(seed=1):
    """Its tensors by name, as Hugging Face's transformers calls them."""
    d, d_ff = SIZES["d"], SIZES["d_ff"]
    shapes = {
        "embeddings.word_embeddings.weight": (SIZES["vocabulary"], d),
        "embeddings.position_embeddings.weight": (SIZES["places"], d),
        "embeddings.token_type_embeddings.weight": (2, d),
        "embeddings.LayerNorm.weight": (d,),
        "embeddings.LayerNorm.bias": (d,),
    }
    for k in range(SIZES["layers"]):
        dense = {f"attention.self.{part}": (d, d) for part in ("query", "key", "value")}
        dense |= {
            "attention.output.dense": (d, d),
            "intermediate.dense": (d_ff, d),
            "output.dense": (d, d_ff),
        }
        for name, shape in dense.items():
            shapes |= {f"encoder.layer.{k}.{name}.weight": shape, f"encoder.layer.{k}.{name}.bias": shape[:1]}
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes |= {f"encoder.layer.{k}.{name}.{part}": (d,) for part in ("weight", "bias")}
    return _drawn(shapes, seed)


def gpt_2(seed=2):
    """Its tensors by name; weights are (in, out), and those of Q, K and V stand side by side."""
    d, d_ff = SIZES["d"], SIZES["d_ff"]
    shapes = {"wte.weight": (SIZES["vocabulary"], d), "wpe.weight": (SIZES["places"], d)}
    shapes |= {"ln_f.weight": (d,), "ln_f.bias": (d,)}
    for k in range(SIZES["layers"]):
        dense = {
            "attn.c_attn": (d, 3 * d),
            "attn.c_proj": (d, d),
            "mlp.c_fc": (d, d_ff),
            "mlp.c_proj": (d_ff, d),
        }
        for name, shape in dense.items():
            shapes |= {f"h.{k}.{name}.weight": shape, f"h.{k}.{name}.bias": shape[1:]}
        for name in ("ln_1", "ln_2"):
            shapes |= {f"h.{k}.{name}.{part}": (d,) for part in ("weight", "bias")}
    return _drawn(shapes, seed)


def _drawn(shapes, seed):
    draw = np.random.default_rng(seed)
    return {name: draw.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}


def write(folder: Path, tensors, settings=None, name="model.safetensors") -> Path:
    """A safetensors file, and config.json beside it."""
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for key, array in tensors.items():
        raw = np.ascontiguousarray(array).tobytes()
        where = [len(data), len(data) + len(raw)]
        header[key] = {"dtype": CODES[str(array.dtype)], "shape": array.shape, "data_offsets": where}
        data += raw
    text = json.dumps(header).encode()
    path = folder / name
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)
    if settings is not None:
        (folder / "config.json").write_text(json.dumps(settings), "utf-8")
    return path
