"""What people write today: a slider that draws all matrices of the worked example anew with matplotlib.

The slider benchmark pastes this file into a notebook cell as it is. It is as quick as such code can honestly
be: bare numpy, one figure, no ticks to draw, no `tight_layout` (which takes a quarter as long again).
"""

import matplotlib.pyplot as plt
import numpy as np
from ipywidgets import FloatSlider, interact

import handcalc as hc

givens = {name: np.array(matrix) for name, matrix in hc.examples.self_attention().givens.items()}


def attention(X, W_Q, W_K, W_V):
    Q, K, V = W_Q @ X, W_K @ X, W_V @ X
    S = K.T @ Q
    S_scaled = S / np.sqrt(len(K))
    E = np.exp(S_scaled)
    E_sum = E.sum(axis=0, keepdims=True)
    A = E / E_sum
    Z = V @ A
    return {"Q": Q, "K": K, "V": V, "S": S, "S_scaled": S_scaled, "E": E, "E_sum": E_sum, "A": A, "Z": Z}


def draw(x):
    X = givens["X"].copy()
    X[0, 0] = x
    matrices = givens | {"X": X} | attention(**givens | {"X": X})
    _, axes = plt.subplots(3, 5, figsize=(12, 7))
    for ax in axes.flat:
        ax.axis("off")
    for ax, (name, M) in zip(axes.flat, matrices.items(), strict=False):
        ax.imshow(M, cmap="coolwarm")
        ax.set_title(name)
        for i, j in np.ndindex(M.shape):
            ax.text(j, i, f"{M[i, j]:.2f}", ha="center", va="center", fontsize=7)
    plt.show()


interact(draw, x=FloatSlider(min=-5, max=5, step=0.1, value=2))
