"""Oracle of an nn.MultiheadAttention's heads: cut out of its state by plain indices; row = output."""

import numpy as np


def heads_from_torch(state, count):
    """[(W_Q, W_K, W_V), …] and W_O of a module without biases that count; our columns need no transpose."""
    assert not any(np.any(np.asarray(state[name])) for name in state if name.endswith("bias"))
    tower = np.asarray(state["in_proj_weight"], dtype=np.float64)
    d_model = tower.shape[1]
    d_k = d_model // count
    heads = [
        tuple(tower[kind * d_model + h * d_k : kind * d_model + (h + 1) * d_k] for kind in range(3))
        for h in range(count)
    ]
    return heads, np.asarray(state["out_proj.weight"], dtype=np.float64)
