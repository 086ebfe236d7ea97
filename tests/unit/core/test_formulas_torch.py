"""Every formula equals PyTorch's own, in float64. PyTorch has tokens as rows: X there is our X transposed."""

import cases
import encoder_decoder
import numpy as np
import pytest
from numpy.testing import assert_allclose

import handcalc as hc

seeds = pytest.mark.parametrize("seed", cases.SEEDS)
# Both compute in float64, in another order, through at most a few dozen sums of numbers of size 1.
ROUNDING = {"rtol": 1e-11, "atol": 1e-12}


def rows(torch, *arrays):
    """Our matrices as float64 tensors with tokens as rows."""
    tensors = [torch.tensor(np.array(array).T, dtype=torch.float64) for array in arrays]
    return tensors if len(tensors) > 1 else tensors[0]


def fill(torch, parameter, *arrays):
    """Copy weights into a parameter: arrays below one another, vectors as PyTorch keeps them."""
    stacked = np.concatenate(arrays)
    with torch.no_grad():
        parameter.copy_(torch.tensor(stacked, dtype=torch.float64).reshape(parameter.shape))


def fill_attention(torch, module, large, W_O):
    """in_proj is W_Q, W_K, W_V stacked, each the heads stacked; our attention has no biases."""
    fill(torch, module.in_proj_weight, *large)
    fill(torch, module.out_proj.weight, W_O)
    fill(torch, module.in_proj_bias, np.zeros(module.in_proj_bias.shape))
    fill(torch, module.out_proj.bias, np.zeros(module.out_proj.bias.shape))


def fill_layer(torch, layer, norms, ff):
    for count, norm in enumerate(norms, start=1):
        fill(torch, getattr(layer, f"norm{count}").weight, norm.gamma)
        fill(torch, getattr(layer, f"norm{count}").bias, norm.beta)
    for linear, W, b in ((layer.linear1, ff.W_1, ff.b_1), (layer.linear2, ff.W_2, ff.b_2)):
        fill(torch, linear.weight, W)
        fill(torch, linear.bias, b)


def assert_equals(matrix, tensor):
    assert_allclose(matrix.values, tensor.detach().numpy().T, **ROUNDING)


@seeds
@pytest.mark.parametrize(
    ("case", "options"),
    [
        ("self_attention", {}),
        ("self_attention_unscaled", {"scale": 1.0}),
        ("self_attention_causal", {"is_causal": True}),
        ("cross_attention", {}),
        ("cross_attention_masked", {"attn_mask": cases.MASK}),
        ("self_attention_large", {}),
    ],
)
def test_attention_equals_scaled_dot_product_attention(torch, case, options, seed):
    calculation, g = cases.build(case, seed), cases.givens(seed)
    weights = g.cross_weights if "cross" in case else g.weights
    X = rows(torch, g.X * 40 if "large" in case else g.X)
    Y = rows(torch, g.Y) if "cross" in case else X
    W_Q, W_K, W_V = (torch.tensor(W) for W in weights)
    if "attn_mask" in options:
        options = {"attn_mask": rows(torch, options["attn_mask"]).bool()}
    attention = torch.nn.functional.scaled_dot_product_attention
    Z = attention(X @ W_Q.T, Y @ W_K.T, Y @ W_V.T, **options)
    if "large" in case:  # scores near 1,000 are off by 1e-13 of that, and so are the exponentials
        assert_allclose(calculation["Z"].values, Z.numpy().T, rtol=1e-9, atol=1e-9)
    else:
        assert_equals(calculation["Z"], Z)


@seeds
@pytest.mark.parametrize("masked", [False, True])
def test_multi_head_attention_equals_the_module_with_its_projections_split(torch, seed, masked):
    draw, d_model, heads = cases.drawer(seed), 6, 3
    X, W_O = draw(d_model, cases.N), draw(d_model, d_model)
    large = [draw(d_model, d_model) for _ in range(3)]
    module = torch.nn.MultiheadAttention(d_model, heads, batch_first=True, dtype=torch.float64).eval()
    fill_attention(torch, module, large, W_O)
    hidden = torch.triu(torch.ones(cases.N, cases.N, dtype=torch.bool), 1) if masked else None
    x = rows(torch, X)[None]
    Z, A = module(x, x, x, attn_mask=hidden, average_attn_weights=False)
    calculation = hc.multi_head_attention(
        X, hc.split_heads(*large, heads), W_O, mask="causal" if masked else None
    )
    assert_equals(calculation["Z"], Z[0])
    for head in range(heads):
        assert_equals(calculation[f"head_{head + 1}.A"], A[0, head])


@seeds
def test_multi_head_cross_attention_equals_the_module_with_other_keys(torch, seed):
    draw, d_model, d_y, heads = cases.drawer(seed), 6, 5, 2
    X, Y, W_O = draw(d_model, cases.N), draw(d_y, cases.M), draw(d_model, d_model)
    W_Q, W_K, W_V = draw(d_model, d_model), draw(d_model, d_y), draw(d_model, d_y)
    options = {"kdim": d_y, "vdim": d_y, "bias": False, "batch_first": True, "dtype": torch.float64}
    module = torch.nn.MultiheadAttention(d_model, heads, **options).eval()
    for parameter, W in zip(("q", "k", "v"), (W_Q, W_K, W_V), strict=True):
        fill(torch, getattr(module, f"{parameter}_proj_weight"), W)
    fill(torch, module.out_proj.weight, W_O)
    x, y = rows(torch, X)[None], rows(torch, Y)[None]
    Z, _ = module(x, y, y)
    assert_equals(
        hc.multi_head_attention(X, hc.split_heads(W_Q, W_K, W_V, heads), W_O, Y=Y)["Z"],
        Z[0],
    )


@seeds
@pytest.mark.parametrize("norm_first", [False, True])
def test_an_encoder_layer_with_biases_and_gelu_equals_the_module(torch, seed, norm_first):
    """BERT's layer is post-norm, GPT-2's pre-norm; PyTorch's GELU is the exact one."""
    draw, d_model, heads = cases.drawer(seed), 6, 2
    large, small = [draw(d_model, d_model) for _ in range(3)], [draw(d_model, 1) for _ in range(3)]
    X, W_O, b_O = draw(d_model, cases.N), draw(d_model, d_model), draw(d_model, 1)
    g = cases.givens(seed)
    options = {"dropout": 0.0, "activation": "gelu", "norm_first": norm_first, "batch_first": True}
    module = torch.nn.TransformerEncoderLayer(d_model, heads, cases.D_FF, **options, dtype=torch.float64)
    fill_layer(torch, module.eval(), g.norms[:2], g.ff)
    fill_attention(torch, module.self_attn, large, W_O)
    fill(torch, module.self_attn.in_proj_bias, *small)
    fill(torch, module.self_attn.out_proj.bias, b_O)
    ours = hc.encoder_layer(
        *(X, hc.split_heads(*large, heads, **dict(zip(("b_Q", "b_K", "b_V"), small, strict=True))), W_O),
        *(g.norms[0], g.ff, g.norms[1]),
        b_O=b_O,
        norm_first=norm_first,
        activation=lambda H: hc.gelu(H, approximate=False),
    )
    assert_equals(ours.result, module(rows(torch, X)[None])[0])


def torch_layers(torch, w, *, norm_first=False):
    """PyTorch's encoder and decoder layers with the weights of encoder_decoder.weights copied in."""
    size = (encoder_decoder.D_MODEL, encoder_decoder.HEADS, encoder_decoder.D_FF)
    options = {"dropout": 0.0, "batch_first": True, "dtype": torch.float64, "norm_first": norm_first}
    encoders = [torch.nn.TransformerEncoderLayer(*size, **options).eval() for _ in w.encoder]
    decoders = [torch.nn.TransformerDecoderLayer(*size, **options).eval() for _ in w.decoder]
    for module, layer in zip(encoders + decoders, w.encoder + w.decoder, strict=True):
        fill_layer(torch, module, layer.norms, layer.ff)
        fill_attention(torch, module.self_attn, layer.own.large, layer.own.W_O)
    for module, layer in zip(decoders, w.decoder, strict=True):
        fill_attention(torch, module.multihead_attn, layer.cross.large, layer.cross.W_O)
    return encoders, decoders


@seeds
def test_a_whole_encoder_decoder_equals_pytorchs_layer_by_layer(torch, seed):
    w = encoder_decoder.weights(seed)
    ours = encoder_decoder.transformer(w)
    encoders, decoders = torch_layers(torch, w)
    X, T = rows(torch, ours["source"].values)[None], rows(torch, ours["target"].values)[None]
    for count, layer in enumerate(encoders, start=1):
        X = layer(X)
        assert_equals(ours[f"encoder_{count}.add_norm_2.norm.N"], X[0])
    hidden = torch.triu(torch.ones(T.shape[1], T.shape[1], dtype=torch.bool), 1)
    for count, layer in enumerate(decoders, start=1):
        T = layer(T, X, tgt_mask=hidden)
        assert_equals(ours[f"decoder_{count}.add_norm_3.norm.N"], T[0])
    assert_equals(ours["P"], torch.softmax(T[0] @ rows(torch, w.W_out), dim=1))


def test_tensors_are_accepted_where_matrices_are(torch):
    X = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    assert hc.Matrix(X, "X").values.tolist() == [[1, 2], [3, 4]]
