"""The answers on the pages of docs/teaching worked out: a function for each page."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import curriculum
import loops
import sorting_oracle

WORKED: dict[str, Callable[[], dict[str, str]]] = {}  # page -> {question: answer}, worked out when asked for


def written(value: float, places: int = 2) -> str:
    """A number as the pages write it."""
    text = f"{value:.0f}" if abs(value - round(value)) < 1e-9 else f"{value:.{places}f}"
    return text.replace("-", "−")


def page(name: str):
    """Makes what a function returns the answers of a page in docs/teaching."""

    def enter(answers):
        WORKED[name] = answers
        return answers

    return enter


def sentence():
    """X of the sentence with "it": thing, alive, moves, seeks thing, seeks life."""
    return [
        [2, 0, 0, 2, 0, 0, 0, 0, 0],
        [2, 0, 0, -2, 0, 0, 0, 0, 1],
        [3, 0, 2, 0, 0, 0, 0, 0, -1],
        [0, 0, 1, 0, 0, 2, 1, 0, 1],
        [0, 0, 0, 0, 0, 1, 0, 0, 2],
    ]


@page("01_queries_keys_values")
def queries_keys_values():
    X = sentence()
    q_it = [X[3][5], X[4][5]]
    scores = [X[0][k] * q_it[0] + X[1][k] * q_it[1] for k in range(9)]
    k, q = [2, 1, 0], [2, 1, 1]  # key 2 and query 4 of the worked example
    return {
        "A row of W_Q meets a column of X that has 6 numbers. How many numbers must the row have?": "6",
        "Which of query, key and value do others find a token by?": "the key",
        "Key 2 is 2, 1, 0 and query 4 is 2, 1, 1. What is their score?": written(
            loops.product([k], [[x] for x in q])[0][0]
        ),
        "Two arrows meet at a right angle. What is their dot product?": written(1 * 2 + 2 * -1),
        "“it” asks with (2, 1). What does it score “animal”, whose key is (2, 2)?": written(scores[0]),
    }


def share(scores):
    """What softmax gives the first of some scores."""
    return math.exp(scores[0]) / sum(map(math.exp, scores))


@page("02_scores_to_weights")
def scores_to_weights():
    return {
        "What is every score divided by, to two decimals?": written(math.sqrt(3)),
        "Scores 2, 1, 0: what share does the first get?": written(share([2, 1, 0])),
        "All three scores go up by 5. What share does the first get now?": written(share([7, 6, 5])),
        "A column of A has four equal shares. How large is each?": written(share([1, 1, 1, 1])),
        "The values are 20 and 0, the shares 0.7 and 0.3. What is the mixture?": written(20 * 0.7 + 0 * 0.3),
    }


@page("03_the_whole_sheet")
def whole_sheet():
    golden = Path(__file__).parents[1] / "golden" / "worked_example.json"
    givens = json.loads(golden.read_text("utf-8"))["givens"]
    X, weights = givens["X"], [givens[name] for name in ("W_Q", "W_K", "W_V")]
    other = [row[:] for row in X]
    other[1][3] = 1
    before, after = (loops.attention(x, x, *weights)["Z"] for x in (X, other))
    pairs = [sum(1 for _ in range(n) for _ in range(n)) for n in (4, 8)]
    return {
        "How many dot products of a key and a query do four tokens need?": written(pairs[0]),
        "And with eight tokens?": written(pairs[1]),
        "X[2,4] is raised from 0 to 1. What becomes of Z[3,1]?": (
            f"it rises from {written(before[2][0])} to {written(after[2][0])}"
        ),
        "With tokens as rows, where is the number that was Z[2,1]?": "Z[1,2]",
        "Which step compares every token with every token?": "S",
    }


@page("05_heads")
def heads():
    derived = curriculum.load("b_multi_head")["derived"]
    place = derived["head_2"]["A"]
    one, two = (derived[f"head_{k}"]["S"][2][1] for k in (1, 2))
    assert (one, two) == (2, -4)
    weights = [h * 3 * d_k * 4 + 4 * h * d_k for h, d_k in ((2, 2), (1, 4))]
    assert weights[0] == weights[1]
    d_k = 512 // 8
    return {
        "Two heads of d_k = 2 and one head of d_k = 4, with d_model = 4: which has more weights?": (
            f"neither: {weights[0]} each"
        ),
        "What is the word before “cats”, and how much of head 2's attention does “cats” give it,"
        " to two decimals?": f"chase, {written(place[1][2])}",
        "Scores of head 1 and head 2 for the same pair are 4 and −4. What is the score of one wide head?": (
            written(4 + -4)
        ),
        "PyTorch, 512 features and 8 heads: by what are scores divided?": written(math.sqrt(d_k)),
        "What does row 130 of in_proj_weight belong to, counted from 0?": f"head {130 // d_k + 1}, of W_Q",
    }


@page("04_positions")
def positions():
    derived = curriculum.load("a_positions")["derived"]
    without, with_places = (
        derived[f"dog_bites_man.{kind}"]["A"] for kind in ("no_positions", "with_positions")
    )
    assert without[0][1] == without[2][1]
    X = [[1, 2, 3], [0, 1, 1]]
    W = [[1, 0], [0, 1]]
    Z = loops.attention(X, X, W, W, W)["Z"]
    other = [[row[k] for k in (1, 0, 2)] for row in X]
    swapped = loops.attention(other, other, W, W, W)["Z"]
    assert all(abs(swapped[i][j] - Z[i][k]) < 1e-12 for i in range(2) for j, k in enumerate((1, 0, 2)))
    waves = [w(turn * 0) for turn in (1, 0.1) for w in (math.sin, math.cos)]
    ones = [row for row, number in enumerate(waves, start=1) if number == 1]
    assert ones == [2, 4]
    return {
        "Without places, what share does “bites” give each of the two beings?": written(without[0][1]),
        "With places, what share does the first being get?": written(with_places[0][1]),
        "Two columns of X are swapped. What happens to Z?": "the same two columns swap",
        "Which rows of PE are 1 at place 0?": "the cosines, rows 2 and 4",
        "The waves turn by 1 and by 0.1 from place to place. What is the dot product of two places that are"
        " 3 apart?": written(
            sum(math.sin(5 * t) * math.sin(2 * t) + math.cos(5 * t) * math.cos(2 * t) for t in (1, 0.1))
        ),
    }


@page("06_masks")
def masks():
    derived = curriculum.load("c_masks")["derived"]
    crossing = curriculum.load("c_cross")["derived"]["S"]
    shape = f"{len(crossing)} rows, {len(crossing[0])} columns"
    zero = [row[0] for row in derived["A_zero_instead_of_minus_infinity"]]
    assert len(set(zero)) == 1
    one, two = (row[0] for row in derived["padding"]["A_padding_mask"][:2])
    assert written(one) == "0.27"
    return {
        "What is the share in column 1 under a causal mask?": written(derived["A_causal"][0][0]),
        "With 0 instead of −∞, what does every word get in column 1?": written(zero[0]),
        "2 words read 3. How many rows and columns has S?": shape,
        "Words 3 and 4 are padding. Word 1 shares its attention between words 1 and 2: 0.27 and what?": (
            written(two)
        ),
        "In a mask for PyTorch's MultiheadAttention, is a key marked True seen or hidden?": "hidden",
    }


@page("07_the_block")
def block():
    derived = curriculum.load("d_block")["derived"]
    token = [row[0] for row in derived["R_1"]]
    assert token == [8, 2, 2, 0]
    mean = sum(token) / 4
    spread = math.sqrt(sum((x - mean) ** 2 for x in token) / 4)

    def normed(numbers):
        mean = sum(numbers) / 4
        return [(x - mean) / math.sqrt(sum((y - mean) ** 2 for y in numbers) / 4) for x in numbers]

    assert max(abs(a - b) for a, b in zip(normed(token), normed([2 * x for x in token]), strict=True)) < 1e-12
    return {
        "A token is 8, 2, 2, 0. What is its mean, and what its spread (the root of the variance)?": (
            f"{written(mean)} and {written(spread)}"
        ),
        "What does it become when it is normed? The first number is enough.": written(normed(token)[0]),
        "Every feature of a token is doubled. What happens to N?": "nothing",
        "Which part of a block reads more than one token?": "attention",
        "W_O and W_2 are all 0, and so is b_2. What does the block hand on?": "X, only normed",
    }


@page("08_a_gpt_on_one_page")
def gpt():
    derived = curriculum.load("l_gpt")["derived"]
    letters = "<abc"
    P = [row[4] for row in derived["P"]]
    without = derived["without_layer_1"]
    return {
        "How many weights does the model have?": written(derived["parameters"]["all"]),
        "What follows abca?": derived["continued"]["abca"][4],
        "How sure is the model of a after abab, to two decimals?": written(P[letters.index("a")]),
        "Without layer 1, which letter does it say after abab?": letters[without.index(max(without))],
        "What does layer 2 look for?": "somebody who stood after me",
    }


@page("09_a_translation")
def translation():
    data = curriculum.load("e_translation")
    derived, words = data["derived"], data["givens"]["E_target"]["columns"]
    negro = words.index("negro")
    return {
        "What is black house in Spanish here?": " ".join(derived["greedy"]["black house ."][:-1]),
        "How sure is the decoder of “negro” as word 2, to two decimals?": written(derived["P"][negro][1]),
        "And at temperature 5?": written(derived["temperature_of_word_2"]["T=5"][negro]),
        "“casa” is fed in by force, though the source says cat. What follows?": (
            derived["wrong_word_fed_in"]["next"]
        ),
        "All words at once under the mask, or one after another: are the probabilities the same?": (
            "yes, exactly"
        ),
    }


@page("10_two_layers")
def two_layers():
    tired = curriculum.load("i_coreference")["derived"]["tired"]
    real = curriculum.load("i_minilm")["derived"]["mean_of_72_heads"]["tired"]
    animal, street = 0, 3
    tie = tired["one_layer_only.A_it"]
    assert tie[animal] == tie[street]
    return {
        "What share does “it” give “tired” in layer 1, to two decimals?": written(tired["layer_1.A_it"][8]),
        "And “animal” in layer 2?": written(tired["layer_2.A_it"][animal]),
        "Layer 2 alone: which of animal and street gets more?": f"neither: {written(tie[animal])} each",
        "Which word differs between the two sentences?": "the last one",
        "In the real model, how much attention do all heads give “animal” on average, to two decimals?": (
            written(real[2])  # [CLS], the, animal
        ),
    }


@page("11_before_attention")
def before_attention():
    h, states, slope = 0.0, [], 1.0
    for x in (2, 0, 0, 0, 0, 0):
        h = math.tanh(0.5 * h + x)
        states.append(h)
    for h in states[1:]:
        slope *= 0.5 * (1 - h * h)
    s, keys = (1, 0), [(1, 0), (3, 0), (0, 1)]
    dot = [s[0] * k[0] + s[1] * k[1] for k in keys]
    additive = [math.tanh(s[0] + k[0]) + math.tanh(s[1] + k[1]) for k in keys]
    ordinal = ("first", "second", "third")
    return {
        "What is left in h₆ of x₁ = 2, to two decimals?": written(states[-1]),
        "How large is the slope of h₆ with respect to h₁, to two decimals?": written(slope),
        "w = 1.5 without tanh: what does 1 become after nine steps, to two decimals?": written(1.5**9),
        "100 words: how long is the longest path in an RNN, and how long in attention?": f"{100 - 1} and 1",
        "Which state does the dot product prefer, and which the additive score?": (
            f"the {ordinal[dot.index(max(dot))]}, the {ordinal[additive.index(max(additive))]}"
        ),
    }


@page("12_the_cost")
def cost():
    window = sum(1 for j in range(100) for i in range(100) if j - 3 < i <= j)
    equal = next(n for n in range(1, 10_000) if 4 * n * 512**2 == 2 * n**2 * 512)
    reached, layers = 9, 0
    while reached > 1:
        reached, layers = reached - 2, layers + 1
    scores = sum(1 for _ in range(10) for _ in range(10))
    without, with_cache = sum(3 * t for t in range(1, 7)), sum(3 for _ in range(6))
    return {
        "How many scores does one head need for 10 words, and how many do 8 heads need?": (
            f"{scores} and {8 * scores}"
        ),
        "100 words, a causal window of 3: how many scores?": written(window),
        "512 features: for how many words do scores and mixtures cost as much as the projections?": (
            written(equal)
        ),
        "After how many layers can word 9 hear of word 1 through a window of 3?": written(layers),
        "How many projections do six words need without a cache, and how many with one?": (
            f"{without} and {with_cache}"
        ),
    }


@page("13_pictures_as_tokens")
def pictures():
    derived = curriculum.load("h_vision")["derived"]
    answers = ("top left", "top right", "bottom left", "bottom right")

    def flat(name, where=derived):
        return [x for row in where[name] for x in (row if isinstance(row, list) else [row])]

    P, down = flat("P"), flat("P", derived["pixels_by_columns"])
    assert answers[P.index(max(P))] == "bottom left"
    base = derived["vit_base"]
    assert base["patches"] == (224 // 16) ** 2
    assert base["numbers_in_a_patch"] == 16 * 16 * 3
    return {
        "A picture of 4 by 4 in patches of 2 by 2, with a class token: how many columns does X have?": (
            written((4 // 2) ** 2 + 1)
        ),
        "How much of its attention does the class token give the bottom left patch, to two decimals?": (
            written(derived["A"][3][0])
        ),
        "How sure is it of its answer, to two decimals?": written(max(P)),
        "Pixels read down: what does it answer?": answers[down.index(max(down))],
        "224 by 224 in patches of 16 by 16, in colour: how many patches, and how many numbers in each?": (
            f"{base['patches']}, of {base['numbers_in_a_patch']} numbers"
        ),
    }


@page("14_backwards")
def backwards():
    derived = curriculum.load("k_backwards")["derived"]
    dS = [row[0] for row in derived["dS"]]
    empty = [column for column in zip(*derived["dW_Q"], strict=True) if not any(column)]
    powers = [math.exp(score) for score in (2, 1, 0)]
    return {
        "What does each column of the slopes of scores add up to?": written(abs(round(sum(dS), 3))),
        "Which key should token 1 look at more, and what is the slope of its score, dS, to two decimals?": (
            f"key {dS.index(min(dS)) + 1}, {written(min(dS))}"
        ),
        "How many columns of dW_Q are 0 throughout?": written(len(empty)),
        "A step of 0.001: the loss after it, to two decimals?": written(derived["losses"][0]),
        "A word had the probability 0.67 and was right. The slope for its logit, to two decimals?": (
            written(powers[0] / sum(powers) - 1)
        ),
    }


@page("15_a_trained_gpt")
def a_trained_gpt():
    first = [(1, head) for head in (1, 2, 3)]
    text = "CABAAB"
    for _ in range(6):
        text += "ABC"[int(sorting_oracle.logits([text], first)[0, -1].argmax())]
    derived = curriculum.load("l_sort_gpt")["derived"]
    weights = derived["weights"] + 3 * 144  # the file counts without the biases of queries, keys and values
    return {
        "How many weights does the model have?": f"{weights:,}",
        "How many columns does it read when it writes the sixth letter?": written(
            derived["config"]["context"]
        ),
        "How many of 729 texts does it sort without head 3 of layer 1?": written(
            sorting_oracle.count_sorted([(1, 3)])
        ),
        "And without all three heads of layer 1?": written(sorting_oracle.count_sorted(first)),
        "What does it then write for CABAAB?": text[6:],
    }


@page("16_a_real_model")
def real_model():
    real = curriculum.load("i_minilm")["derived"]
    pairs = real["twenty_pairs"]

    def best_of_72(n):
        one = sum(math.comb(20, k) for k in range(n, 21)) / 2**20
        return 1 - (1 - one) ** 72

    assert real["layer_1_largest_difference_of_that_ratio"] < 1e-15
    return {
        "In how many of 12 heads of the first layer does “animal” gain on “street”?": "0",
        "In how many of 72 heads does [CLS] get most, with “tired”?": "54",  # counted in its own test
        "In how many of twenty pairs does head 2 of layer 4 move the right way?": (
            written(pairs["shift_in_the_right_direction"])
        ),
        "In how many of 40 sentences does it prefer the right noun?": written(pairs["right_noun_preferred"]),
        "72 coins, 20 throws each: how many heads does the best one usually show?": (
            written(max(n for n in range(21) if best_of_72(n) > 0.5))
        ),
    }


@page("17_your_own")
def your_own():
    f, i = (1 / (1 + math.exp(-z)) for z in (1.25, -2.75))
    g = math.tanh(-1.75)
    assert [written(x) for x in (f, i, g)] == ["0.78", "0.06", "−0.94"]
    e = [math.exp(z) for z in (2, 0, -2)]
    p = e[0] / sum(e)
    assert written(p) == "0.87"
    return {
        "The weighted sum of a gate is 1.25. How far is it open, to two decimals?": written(f),
        "Memory 2, f = 0.78, i = 0.06, g = −0.94: what is the new memory, to one decimal?": (
            written(f * 2 + i * g, 1)
        ),
        "Leaky ReLU with α = 0.1: what does −2 become?": written(max(0.1 * -2, -2)),
        "An autoencoder gives back 3 where it got 1, L = ½ (Y − X)². What is its slope there?": (
            written(3 - 1)
        ),
        "Softmax gives the right class 0.87. What is the slope of the cross-entropy for its logit?": written(
            p - 1
        ),
    }


@page("18_by_hand")
def by_hand():
    shares = (0.51, 0.18, 0.13, 0.11, 0.06)
    return {
        "2·1 + 3·x = 5. What is x?": written((5 - 2 * 1) / 3),
        "Softplus of 0.40, to two decimals?": written(math.log(1 + math.exp(0.4))),
        "−5 comes out of a layer and 1 goes past it. What does the ReLU of their sum give?": written(
            max(0, -5 + 1)
        ),
        "Row (1, 0, 1) of weights meets the state (1.00, −1.00, −0.76). What do they make?": written(
            1 - 0.76
        ),
        "Shares of 0.51, 0.18, 0.13, 0.11 and 0.06: what do they add up to?": written(sum(shares)),
    }
