"""The answers on the pages of docs/teaching from the block on, worked out: a function for each page."""

import math

import curriculum
import sorting_oracle
from teaching_answers import page, written


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
