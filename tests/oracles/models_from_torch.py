"""Oracle of hc.models: BERT and GPT-2 by PyTorch's own layers with a file's weights put in."""

from functools import partial


def bert(torch, tensors, heads, dtype, eps=1e-12):
    """The whole way, to be called with token numbers; it gives what each layer found, tokens as rows."""
    t = _tensors(torch, tensors, dtype)
    layers = [_bert_layer(torch, t, k, heads, eps) for k in range(_count(t, "encoder.layer.", 2))]

    def forward(tokens):
        n = len(tokens)
        X = t["embeddings.word_embeddings.weight"][tokens] + t["embeddings.position_embeddings.weight"][:n]
        X = X + t["embeddings.token_type_embeddings.weight"][0]
        found = [_normed(torch, X, t, "embeddings.LayerNorm", eps)]
        for layer in layers:
            found.append(layer(found[-1][None])[0])
        return found

    return torch.no_grad()(forward)


def _bert_layer(torch, t, k, heads, eps):
    at, put = f"encoder.layer.{k}.", partial(_put, torch, t)
    parts = [at + f"attention.self.{name}" for name in ("query", "key", "value")]
    layer = _layer(torch, t, heads, eps, torch.nn.functional.gelu, len(t[at + "intermediate.dense.bias"]))
    put(layer.self_attn.in_proj_weight, *(f"{part}.weight" for part in parts))
    put(layer.self_attn.in_proj_bias, *(f"{part}.bias" for part in parts))
    for module, name in (
        (layer.self_attn.out_proj, "attention.output.dense"), (layer.norm1, "attention.output.LayerNorm"),
        (layer.linear1, "intermediate.dense"), (layer.linear2, "output.dense"),
        (layer.norm2, "output.LayerNorm"),
    ):  # fmt: skip
        put(module.weight, f"{at}{name}.weight")
        put(module.bias, f"{at}{name}.bias")
    return layer


def gpt_2(torch, tensors, tokens, heads, dtype, eps=1e-5):
    """Word + place; the layers, which norm what they read; then the logits, tokens as rows, and the table."""
    t = _tensors(torch, tensors, dtype)
    n, table = len(tokens), t["wte.weight"].requires_grad_()
    X = table[tokens] + t["wpe.weight"][:n]
    gelu = partial(torch.nn.functional.gelu, approximate="tanh")
    later = torch.triu(torch.ones(n, n, dtype=torch.bool), 1)
    for k in range(_count(t, "h.", 1)):
        at = f"h.{k}."
        layer = _layer(torch, t, heads, eps, gelu, len(t[at + "mlp.c_fc.bias"]), norm_first=True)
        for module, name in (
            (layer.self_attn.out_proj, "attn.c_proj"), (layer.linear1, "mlp.c_fc"),
            (layer.linear2, "mlp.c_proj"),
        ):  # fmt: skip
            _fill(torch, module.weight, t[f"{at}{name}.weight"].T)
            _fill(torch, module.bias, t[f"{at}{name}.bias"])
        _fill(torch, layer.self_attn.in_proj_weight, t[f"{at}attn.c_attn.weight"].T)
        _fill(torch, layer.self_attn.in_proj_bias, t[f"{at}attn.c_attn.bias"])
        for module, name in ((layer.norm1, "ln_1"), (layer.norm2, "ln_2")):
            _put(torch, t, module.weight, f"{at}{name}.weight")
            _put(torch, t, module.bias, f"{at}{name}.bias")
        X = layer(X[None], src_mask=later)[0]
    return _normed(torch, X, t, "ln_f", eps) @ table.T, table


def sentence(torch, N):
    """The mean of all tokens, brought to length 1, as sentence-transformers' Pooling and Normalize do."""
    return torch.nn.functional.normalize(N.mean(dim=0), p=2, dim=0)


def _layer(torch, t, heads, eps, activation, d_ff, norm_first=False):
    """One of PyTorch's own encoder layers, weights to be put in."""
    d = len(next(tensor for name, tensor in t.items() if name.endswith(("LayerNorm.bias", "ln_f.bias"))))
    return torch.nn.utils.skip_init(  # nothing is drawn, as all is put in
        torch.nn.TransformerEncoderLayer, d, heads, d_ff, dropout=0.0, activation=activation,
        layer_norm_eps=eps, batch_first=True, norm_first=norm_first, dtype=t["dtype"],
    ).eval()  # fmt: skip


def _tensors(torch, tensors, dtype):
    dtype = getattr(torch, dtype)
    kept = {name: array for name, array in tensors.items() if array.dtype.kind == "f"}
    return {name: torch.tensor(array).to(dtype) for name, array in kept.items()} | {"dtype": dtype}


def _count(t, start, place):
    return 1 + max(int(name.split(".")[place]) for name in t if name.startswith(start))


def _normed(torch, X, t, name, eps):
    return torch.nn.functional.layer_norm(X, X.shape[-1:], t[f"{name}.weight"], t[f"{name}.bias"], eps)


def _put(torch, t, parameter, *names):
    _fill(torch, parameter, torch.cat([t[name] for name in names]))


def _fill(torch, parameter, values):
    with torch.no_grad():
        assert parameter.shape == values.shape
        parameter.copy_(values)
