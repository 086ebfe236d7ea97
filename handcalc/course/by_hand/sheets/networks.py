"""Layers on layers: perceptrons, residual networks, autoencoders, and one way back."""

from __future__ import annotations

from handcalc.course.by_hand.parts import Sheet, noted, sheet, worded
from handcalc.course.by_hand.sheets.single_numbers import shares
from handcalc.operations import Passed, Step, Sums
from handcalc.record.blocks import block
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import columns, concat, relu, rows, sigmoid

LAYER = "Weights, biases and a bend."


def weighed(g: Sheet, count: int, A: Matrix) -> Matrix:
    """Z = W A + b of one layer."""
    W, b = g(f"W{count}", "W", "weights"), g(f"b{count}", "b", "biases")
    return worded("Z", W @ A + b)


def dense_layer(g: Sheet, count: int, A: Matrix, skipped: Matrix | None = None) -> list[Matrix]:
    """Z and A of one layer; with `skipped`, what went past it is added before the ReLU."""
    with block(f"layer_{count}", f"Layer {count}", why=LAYER):
        Z = weighed(g, count, A)
        if skipped is None:
            return [Z, worded("A", relu(Z))]
        why = "The residual connection adds the input of the layer, so that gradients can pass it unchanged."
        return [Z, noted("A", relu(Z + skipped), "with what went past", why, "Bend")]


def output_layer(g: Sheet, count: int, A: Matrix, skipped: Matrix | None = None) -> list[Matrix]:
    """The last layer: σ of a single number, shares of several."""
    with block("output", "Output", why="What the network answers, as a number between 0 and 1."):
        Z = weighed(g, count, A)
        scores = Z
        if skipped is not None:
            scores = noted(
                "R", Z + skipped, "with what went past", "The second residual connection, around two layers."
            )
        if Z.shape[0] == 1:
            return [Z, noted("Y", sigmoid(scores), "between 0 and 1", "σ turns a score into yes or no.")]
        *steps, P = shares(scores)
        return [Z, scores, *steps, P.named("Y", "shares")]


def network(g: Sheet, depth: int, *, skips: int = 0) -> list[Matrix]:
    """Layers up to `depth`, the last of them the output; with `skips`, a residual around every two."""
    A, found = g("X", "X", "one example a column", columns="x"), []
    past = A
    for count in range(1, depth):
        goes_past = bool(skips) and count % 2 == 0
        found += dense_layer(g, count, A, past if goes_past else None)
        A = found[-1]
        past = A if goes_past else past
    return found + output_layer(g, depth, A, past if skips == 2 else None)


@sheet("mlp_small", "mlp_medium", "mlp_large", "resnet_medium_mlp")
def perceptron(g: Sheet) -> list[Matrix]:
    """Three hidden layers, and an output."""
    return network(g, 4)


@sheet("resnet_small_mlp")
def small_perceptron(g: Sheet) -> list[Matrix]:
    """Two hidden layers, and an output."""
    return network(g, 3)


@sheet("resnet_small")
def small_resnet(g: Sheet) -> list[Matrix]:
    """A residual connection around the two hidden layers."""
    return network(g, 3, skips=1)


@sheet("resnet_medium")
def medium_resnet(g: Sheet) -> list[Matrix]:
    """One residual connection around the first two layers, and one around the last two."""
    return network(g, 4, skips=2)


# autoencoders: what goes in is to come out again ------------------------------------------------------


@sheet("autoencoder_small", "autoencoder_medium")
def autoencoder(g: Sheet) -> list[Matrix]:
    """Down to two numbers and up again, and how far off that is."""
    depth = sum(key.startswith("W") for key in g.givens)
    X = g("X", "X", "what is to come out again", columns="x")
    found, A = [], X
    for count in range(1, depth + 1):
        with block(f"layer_{count}", "Encoder" if count <= depth / 2 else "Decoder", why=LAYER):
            found += (
                _first_layer(g, A) if count == 1 and depth == 8 and g.is_published else _usual(g, count, A)
            )
        A = found[-1]
    with block("loss", "How far off", why="The smaller the squares, the closer the result."):
        return found + _loss(g, X, A)


def _usual(g: Sheet, count: int, A: Matrix) -> list[Matrix]:
    Z = weighed(g, count, A)
    return [Z, worded("A", relu(Z))]


def _first_layer(g: Sheet, X: Matrix) -> list[Matrix]:
    """As published: W without its first column, X without its first row, and the ReLU of b in a column."""
    W, b = g("W1", "W", "weights"), g("b1", "b", "biases")
    Z = worded("Z", columns(W, 1, W.shape[1]) @ rows(X, 1, X.shape[0]) + b)
    return [Z, worded("A", relu(concat([b, columns(Z, 1, 2)], axis=1)))]


def _loss(g: Sheet, X: Matrix, Y: Matrix) -> list[Matrix]:
    off = noted("off", Y - X, "what is wrong", "How far each number is from what went in.")
    squares = noted("squares", off**2, "squared", "All errors become positive, and large ones count more.")
    is_short = g.is_published and X.shape[0] == 6
    counted = rows(squares, 0, 4) if is_short else squares
    total = noted("total", Sums(1)(Sums(0)(counted)), "added up", "All squares in one number.")
    size = 8 if is_short else X.values.size
    error = noted("MSE", total / size, "mean of the squares", "Divided by how many there are.")
    slope = 2 * X / 2 if g.is_published else 2 * off / size
    why = "How the error grows with each number that came out: twice what is wrong, divided by how many."
    return [squares, total, error, noted("dY", slope, "slopes of the error", why)]


# one way back, written out ----------------------------------------------------------------------------


@sheet("backpropagation")
def backpropagation(g: Sheet) -> list[Matrix]:
    """Three layers, and the slope of each weight: P − T back through every layer."""
    first = dense_layer(g, 1, g("X", "X", "one example a column", columns="x"))
    second = dense_layer(g, 2, first[-1])
    with block("layer_3", "Layer 3", why="Shares of three answers."):
        Z, T = weighed(g, 3, second[-1]), g("T", "T", "what was right")
        *steps, P = shares(Z)
    found = [*first, *second, Z, *steps, P]
    sums = {1: first[0], 2: second[0], 3: Z}
    with block(
        "backward", "The way back", why="How the loss grows with each number, from the last one back."
    ):
        dZ = P - T
        for count in (3, 2, 1):
            with block(f"layer_{count}", f"Back through layer {count}"):
                dZ = noted("dZ", dZ, "slopes of the sums", SLOPES[count])
                found += [dZ, *_of_weights(dZ, A_of(sums[count]))]
            if count > 1:
                with block(f"layer_{count - 1}", f"Back through layer {count - 1}"):
                    dA, dZ = _one_back(g, count, weights_of(sums[count]), dZ, sums[count - 1])
                    found.append(dA)
    return found


SLOPES = {
    3: "Of a softmax and its loss only P − T is left.",
    2: "What the ReLU of layer 2 set to 0 had no effect.",
    1: "What the ReLU of layer 1 set to 0 had no effect.",
}


def weights_of(Z: Matrix) -> Matrix:
    """The W of Z = W A + b."""
    return Z.inputs[0].inputs[0]


def A_of(Z: Matrix) -> Matrix:  # noqa: N802 - its name on the sheet
    """The A of Z = W A + b."""
    return Z.inputs[0].inputs[1]


def _of_weights(dZ: Matrix, A: Matrix) -> list[Matrix]:
    dW = noted("dW", dZ @ A.T, "slopes of the weights", "Each weight counts as much as what it met.")
    return [dW, noted("db", Sums(1)(dZ), "slopes of the biases", "A bias is added in every column.")]


def _one_back(g: Sheet, count: int, W: Matrix, dZ: Matrix, before: Matrix) -> tuple[Matrix, Matrix]:
    """The slopes of what the layer before let through, and of its sums."""
    why = "Each number counts in all sums that it goes into, by its weight there."
    dA = noted("dA", W.T @ dZ, "slopes of what was let through", why)
    if g.is_published and count == 3:
        return dA, Passed()(dA)
    return dA, dA * Step()(before)
