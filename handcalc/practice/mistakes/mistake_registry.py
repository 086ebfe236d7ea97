"""Every mistake that has a name: what was done, and whether every draw promises to distinguish it.

A mistake is named with a name from this list, or the types do not fit; docs/mistakes.md is written from it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from handcalc.practice.mistakes.mal_rule import REGISTRY, MistakeEntry, MistakeName

Words = str | Mapping[str, str]  # one sentence, or one for each case; {} stands for a thing


def add_mistake(
    name: str,
    done: str,
    *,
    promised: bool = False,
    template: str = "",
    says: Words = "",
    asks: Words = "",
    accident: bool = False,
) -> MistakeName:
    """Enter a mistake in the registry."""
    said_of, asked = ({"": one} if isinstance(one, str) else one for one in (says, asks))
    REGISTRY[MistakeName(name)] = MistakeEntry(done, promised, template, said_of, asked, accident)
    return MistakeName(name)


SWAPPED = add_mistake(
    "queries-and-keys-swapped",
    "W_K was used for Q, or W_Q for K; also `keys-and-values-swapped` and the like",
    promised=True,
    template="{}-and-{}-swapped",
    says="{} was used, the weights of the {}; it should be {}.",
)
TRANSPOSED_SCORES = add_mistake(
    "transposed-scores",
    "Qᵀ K instead of Kᵀ Q",
    promised=True,
    template="transposed-{}",
    says="The product is the wrong way round: this is {}.",
)
NOT_SCALED = add_mistake(
    "not-scaled",
    "S was not divided by √d_k, or the step was left out",
    promised=True,
    says="The numbers were not divided by √{}.",
)
DIVIDED_BY_SIZE = add_mistake(
    "divided-by-d_k",
    "divided by d_k, not by its root",
    promised=True,
    template="divided-by-{}",
    says="Divided by {} itself, not by its root.",
)
DIVIDED_BY_OTHER_ROOT = add_mistake(
    "divided-by-sqrt-d_model",
    "divided by the root of the number of features; also `divided-by-sqrt-n`, of the number of tokens",
    promised=True,
    template="divided-by-sqrt-{}",
    says="Divided by the root of {}, {}, not of {}, {}.",
)
MASK_LEFT_OUT = add_mistake(
    "mask-left-out", "nothing was hidden", promised=True, says="Nothing was hidden: the mask was left out."
)
MASK_WRONG_SIDE = add_mistake(
    "mask-wrong-side",
    "the earlier tokens were hidden, not the later ones",
    promised=True,
    says="The mask hides the wrong side: a query may not look at later tokens.",
)
MASK_AFTER_SOFTMAX = add_mistake(
    "mask-after-softmax",
    "softmax over all scores, with the hidden ones struck out only afterwards",
    promised=True,
    says="The mask came after softmax: by then hidden keys had already taken their share.",
)
ZERO_FOR_MINUS_INFINITY = add_mistake(
    "zero-for-minus-infinity",
    "hidden scores became 0, not −∞; but e^0 is 1",
    says="Hidden scores become {}, not 0: {} is 1, not 0.",
)
TRUE_MEANS_HIDDEN = add_mistake(
    "true-means-hidden",
    "the mask is inverted: what may be seen was hidden, the rest was kept",
    promised=True,
    says="The mask is inverted: what may be seen was hidden, and the rest was kept.",
)
QUERIES_MASKED = add_mistake(
    "queries-masked-for-keys",
    "padding was hidden as a query, its column, not as a key, its row",
    promised=True,
    says="Padding is hidden as a key, in its {}; here it was hidden as a query, in its {}.",
)
MASK_ADDED = add_mistake(
    "mask-added-as-numbers",
    "0 and 1 were added to the scores; 0 and −∞ belong there",
    says="0 and 1 were added; a mask adds 0 and {}.",
)
WINDOW_BOTH_SIDES = add_mistake(
    "window-both-sides",
    "a window that looks ahead as far as it looks back",
    promised=True,
    says="The window extends to both sides; a query may not look at later tokens.",
)
WINDOW_TOO_WIDE = add_mistake(
    "window-without-oneself",
    "a window counted without the token itself: one token too many is seen",
    says="The window is too wide: {} tokens are seen, the query's own among them.",
)
MASK_FROM_CORNER = add_mistake(
    "mask-from-the-corner",
    "a causal mask applied from the upper left corner, though there are fewer queries than keys",
    says="The causal mask was applied from the corner: the last tokens may look at all that came before.",
)
CACHE_OF_QUERIES = add_mistake(
    "cache-of-queries",
    "something else was kept, such as the query instead of the key; also `cache-of-values` and the like",
    template="cache-of-{}",
    says="{} was added to what is kept; {} belongs there.",
)
PLACE_STARTS_AGAIN = add_mistake(
    "place-starts-again",
    "the first column was taken, as if each token started counting again",
    says="The first {} of {} was used, not {} {}.",
)
TIMES_OTHER = add_mistake(
    "n-times-d",
    "a number was multiplied by another, not by itself: n · d for n · n",
    template="{}-times-{}",
    says="{} was multiplied by {}; it should be multiplied by itself.",
)
TIMES_FOR_POWER = add_mistake(
    "times-for-power",
    "e · s instead of e^s, with e or with 2.72",
    says="{} to the power of a number is not {} times it.",
)
POWER_OF_ZERO = add_mistake(
    "power-of-zero",
    "0 for every power with exponent 0; any number to the power of 0 is 1",
    says="Any number to the power of 0 is 1, not 0.",
)
WRONG_BASE = add_mistake(
    "wrong-base",
    "powers of 3 instead of e, or the other way round",
    says="These are powers of {}, not of {}.",
)
ROW_SOFTMAX = add_mistake(
    "row-softmax",
    "summed or normalised along each row; with tokens as rows it is `column-softmax` that is wrong",
    promised=True,
    template="{}-softmax",
    says="Here each {} adds up to 1; each {} must.",
)
NOT_NORMALISED = add_mistake(
    "not-normalised",
    "exponentials taken for probabilities: not divided by their sum",
    promised=True,
    says="Each {} must add up to 1: divide it by its sum.",
)
IN_PERCENT = add_mistake(
    "in-percent",
    "probabilities that add up to 100, not to 1",
    says="These are percentages; write shares that add up to 1, not to 100.",
)
ALONG_EACH_ROW = add_mistake(
    "along-each-row",
    "sums or means along the wrong axis, outside of softmax; also `along-each-column`",
    promised=True,
    template="along-each-{}",
    says="This runs along each {}; it should run along each {}.",
)
TRANSPOSED_WEIGHTS = add_mistake(
    "transposed-weights",
    "V Aᵀ instead of V A",
    promised=True,
    template="transposed-{}",
    says="{} is transposed: its rows were used as columns.",
)
RELU_LEFT_OUT = add_mistake(
    "relu-left-out",
    "negative numbers were left as they are",
    promised=True,
    says={"": "Negative numbers become 0.", "leaky": "Negative numbers should be multiplied by {}."},
)
FUNCTION_LEFT_OUT = add_mistake(
    "function-left-out",
    "a function, such as a sigmoid or a logarithm, was left out",
    says={
        "": "The {} was left out; these numbers still have to go through it.",
        "absolute": "An absolute value has no minus sign: |−2| is 2.",
    },
)
TERM_LEFT_OUT = add_mistake(
    "term-left-out",
    "a bias, or another term of a sum, was left out",
    promised=True,
    says={"": "A term was left out: {}.", "in a number": "The sum lacks a term: {}."},
    asks={"in a number": "Did you leave out {}?"},
)
RESIDUAL_LEFT_OUT = add_mistake(
    "residual-left-out",
    "what went in was not added to what was found, but replaced by it",
    promised=True,
    says="{} was left out: what was found is added to it and does not replace it.",
)
NORM_BEFORE_ADDING = add_mistake(
    "norm-before-adding",
    "what a layer found was normed before it was added, but the sum should be normed",
    says="{} was normed before it was added to {}; norm the sum.",
)
PIXELS_BY_COLUMNS = add_mistake(
    "pixels-by-columns",
    "the pixels of a patch were read down, not along the rows",
    says="The pixels of a patch are read along its rows, not down its columns.",
)
PATCHES_OVERLAP = add_mistake(
    "patches-overlap",
    "the next patch begins one pixel further on, not where the last one ends",
    says="Patches do not overlap: the next one begins {} pixels further on.",
)
PATCHES_BY_COLUMNS = add_mistake(
    "patches-by-columns",
    "the patches were taken column by column, not row by row",
    says="The patches come row by row, from left to right.",
)
CLASS_TOKEN_WITHOUT_PLACE = add_mistake(
    "class-token-without-place",
    "the class token got no place, though the patches got theirs",
    says="{} got nothing from {}: it has a place as well.",
)
N_MINUS_1 = add_mistake(
    "n-minus-1",
    "a variance divided by one less than the number of numbers",
    says="Divided by {}, one less than the number of numbers; a layer norm divides by {}.",
)
N_FOR_N_MINUS_1 = add_mistake(
    "n-for-n-minus-1",
    "a variance divided by the number of numbers where one less was asked for",
    says="Divided by {}, the number of numbers; here it is one less, {}.",
)
EPS_LEFT_OUT = add_mistake(
    "eps-left-out", "the small number that keeps a divisor from 0 was not added", says="The {} was not added."
)
UNSORTED = add_mistake(
    "unsorted",
    "numbers were added up in the order in which they were given",
    says="{} was read in the order in which it was given; it has to be sorted first.",
)
SMALLEST_FIRST = add_mistake(
    "smallest-first",
    "sorted, or ranked, from the smallest number on",
    says="This counts from the smallest number on; the largest comes first.",
)
NOT_ADDED_UP = add_mistake(
    "not-added-up",
    "the number itself, where the sum of it and all before it was asked for",
    says="{} was copied; each number is the sum of it and all before it.",
)
RELU_TWICE = add_mistake(
    "relu-twice",
    "negative numbers became 0 once more, after the second layer",
    says="Negative numbers became 0 here as well, but ReLU comes only once.",
)
ROOT_LEFT_OUT = add_mistake(
    "root-left-out", "divided by the variance, not by its root", promised=True, says="The root was left out."
)
NOT_DIVIDED = add_mistake(
    "not-divided",
    "a mean that was only added up; or no division by a temperature, or by the feature of a missing weight",
    says={"": "{} was not divided by {}.", "mean": "Added up, but not divided by {}."},
)
UPSIDE_DOWN = add_mistake(
    "upside-down",
    "a quotient upside down: divisor and dividend are swapped",
    says={"root": "Multiplied by √{}, not divided by it.", "": "This is {} divided by {}."},
)
MIXTURE_LEFT_OUT = add_mistake(
    "mixture-left-out", "a step read the values themselves, not their mixture by shares"
)
LAYER_LEFT_OUT = add_mistake(
    "layer-left-out", "a step read what went into the previous layer, not what came out"
)
WINDOW_NOT_MOVED_ON = add_mistake(
    "window-not-moved-on",
    "the same window again: nothing new added, nothing dropped",
    says="The window has not moved on: its first {} drops out, and a new one comes at the end.",
)
PRODUCT_LEFT_OUT = add_mistake(
    "product-left-out",
    "one product is missing, in one number or in all",
    says={
        "": "Product number {} of {} is missing from the sums.",
        "in a number": "{} is missing from the sum.",
    },
    asks={"in a number": "Did you leave out {}?"},
)
SIGN_LOST = add_mistake(
    "sign-lost",
    "a minus sign overlooked, in one number, in a product, or in a whole matrix",
    says={
        "in the result": "A minus sign was lost.",
        "in a line": "Every sign in {} {} is flipped.",
        "in a ReLU": "Negative numbers become 0, not positive.",
        "in a slope": "Every sign is turned round: the minus belongs to the step of learning, not to {}.",
        "subtracted": "Subtracted instead of added.",
        "in a number": "The sign is wrong.",
        "constant": "The minus sign was lost.",
        "in what is read": "A minus sign in {} was lost.",
        "added": "Added instead of subtracted.",
        "in a term": "{} went in with the wrong sign.",
    },
    asks={"in a number": "Is only the sign wrong?", "in a term": "Did {} go in with the wrong sign?"},
)
ENTRIES_SWAPPED = add_mistake(
    "entries-swapped",
    "two numbers, rows or columns are swapped",
    says={"": "{}s {} and {} are swapped.", "two numbers": "The numbers at {} are swapped."},
    asks="Did you swap the numbers at {}?",
    accident=True,
)
ROW_FOR_COLUMN = add_mistake(
    "row-for-column",
    "in one number, a row was taken for a column",
    says={
        "sum": "This runs along {}; it should run along {}.",
        "divisor": "Divided by sum number {}; it should be number {}.",
        "row": "Row {} of {} was used, not its column.",
        "column": "Column {} of {} was used, not its row.",
        "": "This is the number at {}: row and column are swapped.",
    },
    asks={
        "sum": "Does this run along {} and not along {}?",
        "divisor": "Did you divide by sum number {}, not number {}?",
        "row": "Did you use row {} of {}, not its column?",
        "column": "Did you use column {} of {}, not its row?",
        "": "Is this the number at {}?",
    },
)
WRONG_LINE = add_mistake(
    "wrong-line",
    "another row or column was used, or copied",
    says={
        "row": "Row {} of {} was used, not row {}.",
        "column": "Column {} of {} was used, not column {}.",
        "copied row": "Row {} holds the numbers of row {}.",
        "copied column": "Column {} holds the numbers of column {}.",
    },
    asks={
        "row": "Did you use row {} of {}, not row {}?",
        "column": "Did you use column {} of {}, not column {}?",
        "copied row": "Did you copy row {} into row {}?",
        "copied column": "Did you copy column {} into column {}?",
    },
    accident=True,
)
VALUES_REPLACED = add_mistake(
    "keys-for-values",
    "the keys, or the queries, were mixed by the shares in place of the values; also `queries-for-values`",
    template="{}-for-{}",
    says="{} was mixed; the shares mix {}.",
)
FACTOR_LEFT_OUT = add_mistake(
    "factor-left-out",
    "what each number should be multiplied by, such as γ of a layer norm, was left out",
    says="{} was left out: each number is multiplied by it.",
)
CAUSAL_FOR_PADDING = add_mistake(
    "causal-for-padding",
    "a causal mask where padding is to be hidden",
    says="The later tokens were hidden; here the padding is to be hidden, and nothing else.",
)
PADDING_BOTH_WAYS = add_mistake(
    "padding-hidden-both-ways",
    "padding was hidden as a key and as a query: a query that may look at nothing has no shares",
    says="Padding was hidden twice, its {} and its {}; hide it as a key alone, in its {}.",
)
WEIGHTS_CHANGED_PLACES = add_mistake(
    "weights-swapped",
    "two weights of one sum changed places: W_h x + W_x h for W_x x + W_h h",
    says="The weights {} and {} changed places.",
)
DOT_FOR_ADDITIVE = add_mistake(
    "dot-for-additive",
    "a dot product of the two states where the additive score belongs",
    says="This is a dot product, {} times {}; the score here is {}.",
)
CUT_BEFORE_PROJECTING = add_mistake(
    "cut-before-projecting",
    "the tokens were cut into heads before the weights were applied: each head saw a part of them",
    says="{} was cut into heads first; each head reads all of it, and what comes out is cut.",
)
WEIGHTS_TRANSPOSED = add_mistake(
    "weights-transposed",
    "Wᵀ X for W X, where the shapes allow it",
    says="{} is transposed: its columns were used as rows.",
)
MISREAD = add_mistake(
    "number-misread",
    "one number was misread, so a whole row or column made from it is wrong",
    says="{} went in as {}: look there again.",
    asks="Did you read {} as {}?",
    accident=True,
)
WRONG_WEIGHTS = add_mistake("wrong-weights", "the weights of another head, or of another layer")
PLACES_FROM_ONE = add_mistake(
    "places-from-one",
    "places of waves counted from 1; the first is 0",
    promised=True,
    says="Places were counted from 1; the first place is 0.",
)
SIN_COS_IN_HALVES = add_mistake(
    "sin-cos-in-halves",
    "all sines, then all cosines, instead of pairs: another order, harmless if it is used everywhere",
    says="Here all sines come first; each sine and its cosine should be in neighbouring {}s.",
)
OWN_EXPONENT = add_mistake(
    "own-exponent",
    "the cosine has an exponent of its own, not that of its sine, so it is a different wave",
    promised=True,
    says="A sine and its cosine share one wave: the exponent of both is {}.",
)
PLACE_AND_FEATURE_SWAPPED = add_mistake(
    "place-and-feature-swapped",
    "the feature was taken for the place, and the place for the feature",
    promised=True,
    says="Place and feature are swapped: each {} is a place, and each {} a wave.",
)
PLACE_ALONG_THE_BATCH = add_mistake(
    "place-along-the-batch",
    "every word has the first place: in code, places were counted along the batch",
    promised=True,
    says="Every word was given the first place; each has its own.",
)
DEGREES_FOR_RADIANS = add_mistake(
    "degrees-for-radians",
    "the calculator was set to degrees for an angle in radians, or the other way round",
    says="The angle is in {}, but the calculator was set to {}.",
)
LOOKED_UP_NEXT_DOOR = add_mistake(
    "looked-up-next-door",
    "a lookup counted from 0, not from 1: each column's neighbour was taken",
    says="Each is the {} {} the right one; count from 1.",
)
PLACES_MOVED_WITH_WORDS = add_mistake(
    "places-moved-with-words",
    "places moved along with their words, so that order could not matter",
    promised=True,
    says="{} stays where it is; only the words move.",
)
HEADS_ADDED = add_mistake(
    "heads-added",
    "several heads added up, not stacked",
    says={
        "in the stack": "{} and {} were added; put one {} the other.",
        "": "{} and {} were added; they belong in one stack.",
    },
)
STACKED_IN_OTHER_ORDER = add_mistake(
    "stacked-in-other-order",
    "heads, or other parts, stacked in another order: the second above the first",
    says={
        "below": "The order is wrong: {} goes below.",
        "on the right": "The order is wrong: {} goes on the right.",
        "not on top": "The order is wrong: {} does not go on top.",
        "not on the left": "The order is wrong: {} does not go on the left.",
        "after the first": "The order of what comes after {} is wrong.",
    },
)
HEADS_BY_TOKENS = add_mistake(
    "heads-by-tokens",
    "reshaped without transposing: a head has all the numbers of some tokens, not some numbers of each",
    says={
        "": "These {}s of every {} belong here; whole {}s were cut up instead, as a reshape without a "
        "transpose does.",
        "stacked": "Each {} stacks the same {} of all parts; this is a reshape without a transpose.",
    },
)
HEADS_INTERLEAVED = add_mistake(
    "heads-interleaved",
    "a head took every second row, not rows that follow one another",
    says="Every {} {} was taken; {}s {} to {} belong here.",
)
SAME_WEIGHTS = add_mistake(
    "same-weights-for-all-heads",
    "a step of another head: all heads were calculated with the same weights",
    says="These are the numbers of {}; each has weights of its own.",
)
WEIGHTS_LEFT_OUT = add_mistake(
    "W_O-left-out",
    "the stack was taken for the result",
    template="{}-left-out",
    says="{} was left out: this is {}.",
)
WRONG_COLUMN = add_mistake(
    "wrong-column",
    "another column was taken, such as the first instead of the last: the highest logit of the wrong column",
    template="wrong-{}",
    says="This is {} {}; it should be {} {}.",
)
NOT_SHIFTED = add_mistake(
    "not-shifted",
    "started one column too early: the word that is fed in, not the next one",
    says="This starts one {} too early: it should be {}s {} to {}.",
)
SHIFTED_TWICE = add_mistake(
    "shifted-twice",
    "started one column too late: moved on by two words, not one",
    says="This starts one {} too late: it should be {}s {} to {}.",
)
FROM_OTHER = add_mistake(
    "queries-from-source",
    "from the other sentence, such as queries from what is read; also `keys-from-target` and the like",
    template="{}-from-{}",
    says="This reads {}; it should read {}.",
)
ROWS_FROM_ZERO = add_mistake(
    "rows-from-zero",
    "the chosen row counted from 0, as in programs; the first is 1",
    says="The first {} is {} 1, not {} 0.",
)
NUMBER_FOR_ITS_ROW = add_mistake(
    "number-for-its-row",
    "the highest number itself, not its row",
    says="This is the highest number itself, not the number of its {}.",
)
LOWEST_FOR_HIGHEST = add_mistake(
    "lowest-for-highest",
    "the row of the lowest number",
    says="This is where the lowest number is, not the highest.",
)
ONE_LENGTH_ONLY = add_mistake(
    "one-length-only",
    "a dot product divided by one of two lengths only, as in half a cosine",
    says="Only {} was used; {} belongs there as well.",
)
LENGTHS_ADDED = add_mistake(
    "lengths-added",
    "two lengths were added, not multiplied, before they divided",
    says={
        "divided": "{} and {} were added; divide by one, then by the other.",
        "": "{} and {} were added; multiply them.",
    },
)
ABSOLUTES_SUMMED = add_mistake(
    "absolutes-summed",
    "a length as the sum of absolute values: not squared, and no root taken",
    says="The numbers of {} were added up; square them first, then take the root.",
)
TIMES_TEMPERATURE = add_mistake(
    "times-temperature",
    "multiplied by a temperature, not divided by it",
    says="Multiplied by {}, not divided by it.",
)
OTHER_LOGARITHM = add_mistake(
    "other-logarithm",
    "the logarithm to base 10 (the key log), not ln",
    says="This is the logarithm to base 10: the key is ln, not log.",
)
HIGHEST_FOR_RIGHT = add_mistake(
    "highest-for-right",
    "the highest share in a column, not the share of the word that comes next",
    says="This is the highest number of {}; you need the one at the 1 of {}.",
)
TANH_LEFT_OUT = add_mistake(
    "tanh-left-out",
    "a tanh was left out",
    says="The {} was left out; these numbers still have to go through it.",
)
SIGMOID_FOR_TANH = add_mistake(
    "sigmoid-for-tanh", "a sigmoid where a tanh belongs", says="This is σ, but it should be tanh."
)
TANH_FOR_SIGMOID = add_mistake(
    "tanh-for-sigmoid", "a tanh where a sigmoid belongs", says="This is tanh, but it should be σ."
)
RELU_FOR_LEAKY_RELU = add_mistake(
    "relu-for-leaky-relu",
    "negative numbers became 0, where a leaky ReLU keeps some of each",
    says="Negative numbers became 0; {} of each should stay.",
)
GATES_SWAPPED = add_mistake(
    "gates-swapped",
    "two gates changed places in a sum: i ⊙ c + f ⊙ g instead of f ⊙ c + i ⊙ g",
    says="{} and {} changed places.",
)
ONE_MINUS_H = add_mistake(
    "one-minus-h",
    "the slope of tanh as 1 − h instead of 1 − h²",
    promised=True,
    says="This uses {}, not its square.",
)
ADDED_IN_THE_CHAIN = add_mistake(
    "added-in-the-chain",
    "slopes along a chain were added, not multiplied",
    promised=True,
    says="{} and {} were added; slopes along a chain are multiplied.",
)
WRONG_STEP = add_mistake(
    "wrong-step", "the same weights, but with the input of an earlier step", promised=True
)
V_LEFT_OUT = add_mistake(
    "v-left-out",
    "numbers were added up without being multiplied by their weights first; named after the weights",
    promised=True,
    template="{}-left-out",
    says="{} was left out.",
)
DIAGONAL_ONLY = add_mistake(
    "diagonal-only",
    "back through a softmax with a · (1 − a) alone, as if a score moved only its own share",
    promised=True,
    says={
        "": "This is a · (1 − a) times its slope: a score moves the other shares as well.",
        "of a matrix": "Only the diagonal is filled in: a score moves the other shares as well.",
    },
)
MEAN_FORGOTTEN = add_mistake(
    "mean-forgotten",
    "A ⊙ dA: the mean of the slopes was not subtracted on the way back",
    promised=True,
    says="{} was not subtracted: what counts is how far each is from the mean.",
)
BRACKETS_FORGOTTEN = add_mistake(
    "brackets-forgotten",
    "A ⊙ dA − mean for A ⊙ (dA − mean): multiplied first, then subtracted",
    says="First subtract {}, then multiply by {}: there are brackets.",
)
MEAN_NOT_WEIGHTED = add_mistake(
    "mean-not-weighted",
    "the plain mean of the slopes, instead of the mean weighted by the shares",
    promised=True,
    says="This is the plain mean; each slope should be weighted by its share, {}.",
)
SHARES_LEFT_OUT = add_mistake(
    "shares-left-out",
    "back through a softmax without multiplying by the shares",
    promised=True,
    says={
        "": "{} was left out: a score counts as much as its share.",
        "in the mean": "These were added up, but not multiplied by the shares {} first.",
    },
)
SCALE_FORGOTTEN = add_mistake(
    "scale-forgotten-on-the-way-back",
    "the slopes of the scores were not divided by √d_k, although the scores were",
    promised=True,
    says="Scores were divided by √{}, and so are their slopes.",
)
UPHILL = add_mistake(
    "uphill",
    "t − z for z − t, Y − P for P − Y, or + instead of − in a learning step: the loss grows",
    promised=True,
    says={
        "": "This is {} − {}, the other way round: a step along it goes uphill.",
        "added": "Added instead of subtracted: that goes uphill, and the loss grows.",
    },
)
ONE_NOT_SUBTRACTED = add_mistake(
    "one-not-subtracted",
    "P for P − Y: 1 was not subtracted from the right word's probability",
    promised=True,
    says="1 was not subtracted where {} has a 1.",
)
STOPPED_BEFORE_SOFTMAX = add_mistake(
    "stopped-before-softmax",
    "the slope for P, −Y / P, instead of that for the logits, P − Y",
    says="This is the slope for {}; it still has to go back through the softmax.",
)
HALF_FORGOTTEN = add_mistake(
    "half-forgotten",
    "2 (z − t), though the loss has ½ in it: the ½ and the 2 cancel",
    promised=True,
    says="This is twice as much: the ½ of the loss and the 2 of the square cancel.",
)
TWO_LEFT_OUT = add_mistake(
    "two-left-out",
    "the slope of x² as x, not 2x",
    promised=True,
    says="The slope of x² is 2x: the 2 is missing.",
)
RELU_FORGOTTEN = add_mistake(
    "relu-forgotten-on-the-way-back",
    "the slope was passed on where the ReLU had put 0",
    promised=True,
    says="What the ReLU set to 0 has no effect: there the slope is 0, not that of {}.",
)
RATE_LEFT_OUT = add_mistake(
    "rate-left-out",
    "a learning step by the whole slope, not multiplied by the learning rate",
    says="{} was not multiplied by {}.",
)
OLD_WEIGHTS = add_mistake(
    "old-weights",
    "the weights from before a learning step, where those after it belong",
    says="{} was used; after the step it is {}.",
)
FORWARD_FOR_SLOPE = add_mistake(
    "forward-for-slope",
    "numbers of the forward pass where their slopes belong: Z for dZ",
    says="{} was used where its slope {} belongs.",
)
NOT_TRANSPOSED = add_mistake(
    "not-transposed", "V dZ instead of Vᵀ dZ, where the shapes allow it", says="{} was not transposed."
)
SIDES_SWAPPED = add_mistake(
    "sides-swapped",
    "on the way back, the factors of a product were swapped: Xᵀ on the wrong side",
    says="The sides are swapped: this is {} times {}.",
)
AVERAGED = add_mistake(
    "averaged",
    "the mean instead of the sum, as if averaging over a batch",
    says={
        "slopes": "Divided by {}, as for a mean; here the loss is a sum.",
        "": "This was divided by {}; it should only be added up.",
    },
)
EARLIER_ANSWER = add_mistake(
    "earlier-answer",
    "the step still follows from an earlier answer that has been changed since",
    says="{} still follows from your earlier {}: work it out again.",
    asks="Does this still follow from your earlier {}?",
    accident=True,
)
ROUNDED_TOO_EARLY = add_mistake(
    "rounded-too-early",
    "rounded before it was used, or to too few places",
    says={
        "": "Rounded to {}; write {}.",
        "inputs": "The inputs were rounded to {} first; round only what you write down.",
        "e": "e was rounded to {}: use {} on a calculator, or more digits of e.",
    },
    asks={"": "Did you round to {}?", "inputs": "Did you round to {} before you went on?"},
)
CUT_OFF = add_mistake(
    "cut-off",
    "the digits after the last place were cut off, not rounded",
    says="Cut off. Write {}, rounded: if the next digit is 5 or more, the last one goes up by 1, "
    "also behind a minus sign.",
    asks="Did you cut off the last digits?",
)


def promised_mistakes() -> frozenset[str]:
    """The mistakes that every draw tells apart wherever they can be made."""
    return frozenset(name for name, entry in REGISTRY.items() if entry.promised)


def describe_mistake(name: str) -> str:
    """The words for what a mistake did; for a relative of one, where it is clear of which."""
    if name in REGISTRY:
        return REGISTRY[MistakeName(name)].done
    kin = [entry for entry in REGISTRY.values() if _is_of(entry.template, name)]
    longest = max((len(entry.template) for entry in kin), default=0)
    nearest = [entry.done for entry in kin if len(entry.template) == longest]
    return nearest[0] if len(nearest) == 1 else ""


def _is_of(template: str, name: str) -> bool:
    """Whether other words in a template make this name."""
    return bool(template) and bool(re.fullmatch(".+".join(map(re.escape, template.split("{}"))), name))
