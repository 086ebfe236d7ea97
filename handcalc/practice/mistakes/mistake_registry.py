"""Every mistake that has a name: what was done, and whether every draw promises to distinguish it.

A mistake is named with a name from this list, or the types do not fit; docs/mistakes.md is written from it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


class MistakeName(str):
    """The name of a mistake that is in the registry."""

    __slots__ = ()

    def of(self, *words: str) -> MistakeName:
        """The name of a relative, with other words of the record in it: keys-and-values-swapped."""
        return MistakeName(REGISTRY[self].template.format(*words))


@dataclass(frozen=True)
class MistakeEntry:
    """What is known of a mistake.

    No draw has numbers with which a `promised` one would pass for what is right, or for another mistake.
    """

    done: str
    promised: bool = False
    template: str = ""


REGISTRY: dict[MistakeName, MistakeEntry] = {}


def add_mistake(name: str, done: str, promised: bool = False, template: str = "") -> MistakeName:
    """A mistake joins the registry."""
    REGISTRY[MistakeName(name)] = MistakeEntry(done, promised, template)
    return MistakeName(name)


SWAPPED = add_mistake(
    "queries-and-keys-swapped",
    "W_K was used for Q, or W_Q for K; also `keys-and-values-swapped` and the like",
    promised=True,
    template="{}-and-{}-swapped",
)
TRANSPOSED_SCORES = add_mistake(
    "transposed-scores", "Qᵀ K in place of Kᵀ Q", promised=True, template="transposed-{}"
)
NOT_SCALED = add_mistake("not-scaled", "S was not divided by √d_k, or the step was left out", promised=True)
DIVIDED_BY_SIZE = add_mistake(
    "divided-by-d_k", "divided by d_k, not by its root", promised=True, template="divided-by-{}"
)
DIVIDED_BY_OTHER_ROOT = add_mistake(
    "divided-by-sqrt-d_model",
    "divided by the root of the number of features; also `divided-by-sqrt-n`, of the number of tokens",
    promised=True,
    template="divided-by-sqrt-{}",
)
MASK_LEFT_OUT = add_mistake("mask-left-out", "nothing was hidden", promised=True)
MASK_WRONG_SIDE = add_mistake(
    "mask-wrong-side", "the earlier tokens were hidden, not the later ones", promised=True
)
MASK_AFTER_SOFTMAX = add_mistake(
    "mask-after-softmax",
    "softmax over all scores, with the hidden ones struck out only afterwards",
    promised=True,
)
ZERO_FOR_MINUS_INFINITY = add_mistake(
    "zero-for-minus-infinity", "hidden scores became 0, not −∞; but e^0 is 1"
)
TRUE_MEANS_HIDDEN = add_mistake(
    "true-means-hidden", "the mask is inverted: what may be seen was hidden, the rest was kept", promised=True
)
QUERIES_MASKED = add_mistake(
    "queries-masked-for-keys",
    "padding was hidden as a query, its column, not as a key, its row",
    promised=True,
)
MASK_ADDED = add_mistake("mask-added-as-numbers", "0 and 1 were added to the scores; 0 and −∞ belong there")
WINDOW_BOTH_SIDES = add_mistake(
    "window-both-sides", "a window that looks ahead as far as it looks back", promised=True
)
WINDOW_TOO_WIDE = add_mistake(
    "window-without-oneself", "a window counted without the token itself: one token too many is seen"
)
MASK_FROM_CORNER = add_mistake(
    "mask-from-the-corner",
    "a causal mask applied from the upper left corner, though there are fewer queries than keys",
)
CACHE_OF_QUERIES = add_mistake(
    "cache-of-queries",
    "something else was kept, such as the query in place of the key; also `cache-of-values` and the like",
    template="cache-of-{}",
)
PLACE_STARTS_AGAIN = add_mistake(
    "place-starts-again", "the first column was taken, as if each token started counting again"
)
TIMES_OTHER = add_mistake(
    "n-times-d", "a number was multiplied by another, not by itself: n · d for n · n", template="{}-times-{}"
)
TIMES_FOR_POWER = add_mistake("times-for-power", "e · s in place of e^s, with e or with 2.72")
POWER_OF_ZERO = add_mistake(
    "power-of-zero", "0 for every power with exponent 0; any number to the power of 0 is 1"
)
WRONG_BASE = add_mistake("wrong-base", "powers of 3 in place of e, or the other way round")
ROW_SOFTMAX = add_mistake(
    "row-softmax",
    "summed or normalised along each row; with tokens as rows it is `column-softmax` that is wrong",
    promised=True,
    template="{}-softmax",
)
NOT_NORMALISED = add_mistake(
    "not-normalised", "exponentials taken for probabilities: not divided by their sum", promised=True
)
IN_PERCENT = add_mistake("in-percent", "probabilities that add up to 100, not to 1")
ALONG_EACH_ROW = add_mistake(
    "along-each-row",
    "sums or means along the wrong axis, outside of softmax; also `along-each-column`",
    promised=True,
    template="along-each-{}",
)
TRANSPOSED_WEIGHTS = add_mistake(
    "transposed-weights", "V Aᵀ in place of V A", promised=True, template="transposed-{}"
)
RELU_LEFT_OUT = add_mistake("relu-left-out", "negative numbers were left as they are", promised=True)
FUNCTION_LEFT_OUT = add_mistake(
    "function-left-out", "a function, such as a sigmoid or a logarithm, was left out"
)
TERM_LEFT_OUT = add_mistake("term-left-out", "a bias, or another term of a sum, was left out", promised=True)
RESIDUAL_LEFT_OUT = add_mistake(
    "residual-left-out", "what went in was not added to what was found, but replaced by it", promised=True
)
NORM_BEFORE_ADDING = add_mistake(
    "norm-before-adding", "what a layer found was normed before it was added, but the sum should be normed"
)
PIXELS_BY_COLUMNS = add_mistake(
    "pixels-by-columns", "the pixels of a patch were read down, not along the rows"
)
PATCHES_OVERLAP = add_mistake(
    "patches-overlap", "the next patch begins one pixel further on, not where the last one ends"
)
PATCHES_BY_COLUMNS = add_mistake(
    "patches-by-columns", "the patches were taken column by column, not row by row"
)
CLASS_TOKEN_WITHOUT_PLACE = add_mistake(
    "class-token-without-place", "the class token got no place, though the patches got theirs"
)
N_MINUS_1 = add_mistake("n-minus-1", "a variance divided by one less than the number of numbers")
RELU_TWICE = add_mistake("relu-twice", "negative numbers became 0 once more, after the second layer")
ROOT_LEFT_OUT = add_mistake("root-left-out", "divided by the variance, not by its root", promised=True)
NOT_DIVIDED = add_mistake(
    "not-divided",
    "a mean that was only added up; or no division by a temperature, or by the feature of a missing weight",
)
UPSIDE_DOWN = add_mistake("upside-down", "a quotient upside down: divisor and dividend are swapped")
MIXTURE_LEFT_OUT = add_mistake(
    "mixture-left-out", "a step read the values themselves, not their mixture by shares"
)
LAYER_LEFT_OUT = add_mistake(
    "layer-left-out", "a step read what went into the previous layer, not what came out"
)
WINDOW_NOT_MOVED_ON = add_mistake(
    "window-not-moved-on", "the same window again: nothing new added, nothing dropped"
)
PRODUCT_LEFT_OUT = add_mistake("product-left-out", "one product is missing, in one number or in all")
SIGN_LOST = add_mistake(
    "sign-lost", "a minus sign overlooked, in one number, in a product, or in a whole matrix"
)
ENTRIES_SWAPPED = add_mistake("entries-swapped", "two numbers, rows or columns are swapped")
ROW_FOR_COLUMN = add_mistake("row-for-column", "in one number, a row was taken for a column")
WRONG_LINE = add_mistake("wrong-line", "another row or column was used, or copied")
MISREAD = add_mistake(
    "number-misread", "one number was misread, so a whole row or column made from it is wrong"
)
WRONG_WEIGHTS = add_mistake("wrong-weights", "the weights of another head, or of another layer")
PLACES_FROM_ONE = add_mistake(
    "places-from-one", "places of waves counted from 1; the first is 0", promised=True
)
SIN_COS_IN_HALVES = add_mistake(
    "sin-cos-in-halves",
    "all sines, then all cosines, in place of pairs: another order, harmless if it is used everywhere",
)
OWN_EXPONENT = add_mistake(
    "own-exponent",
    "the cosine has an exponent of its own, not that of its sine, so it is a different wave",
    promised=True,
)
PLACE_AND_FEATURE_SWAPPED = add_mistake(
    "place-and-feature-swapped",
    "the feature was taken for the place, and the place for the feature",
    promised=True,
)
PLACE_ALONG_THE_BATCH = add_mistake(
    "place-along-the-batch",
    "every word has the first place: in code, places were counted along the batch",
    promised=True,
)
DEGREES_FOR_RADIANS = add_mistake(
    "degrees-for-radians", "the calculator was set to degrees for an angle in radians, or the other way round"
)
LOOKED_UP_NEXT_DOOR = add_mistake(
    "looked-up-next-door", "a lookup counted from 0, not from 1: each column's neighbour was taken"
)
PLACES_MOVED_WITH_WORDS = add_mistake(
    "places-moved-with-words",
    "places moved along with their words, so that order could not matter",
    promised=True,
)
HEADS_ADDED = add_mistake("heads-added", "several heads added up, not stacked")
STACKED_IN_OTHER_ORDER = add_mistake(
    "stacked-in-other-order", "heads, or other parts, stacked in another order: the second above the first"
)
HEADS_BY_TOKENS = add_mistake(
    "heads-by-tokens",
    "reshaped without transposing: a head has all the numbers of some tokens, not some numbers of each",
)
HEADS_INTERLEAVED = add_mistake(
    "heads-interleaved", "a head took every second row, not rows that follow one another"
)
SAME_WEIGHTS = add_mistake(
    "same-weights-for-all-heads", "a step of another head: all heads were calculated with the same weights"
)
WEIGHTS_LEFT_OUT = add_mistake("W_O-left-out", "the stack was taken for the result", template="{}-left-out")
WRONG_COLUMN = add_mistake(
    "wrong-column",
    "another column was taken, such as the first instead of the last: the highest logit of the wrong column",
    template="wrong-{}",
)
NOT_SHIFTED = add_mistake(
    "not-shifted", "started one column too early: the word that is fed in, not the next one"
)
SHIFTED_TWICE = add_mistake("shifted-twice", "started one column too late: moved on by two words, not one")
FROM_OTHER = add_mistake(
    "queries-from-source",
    "from the other sentence, such as queries from what is read; also `keys-from-R` and the like",
    template="{}-from-{}",
)
ROWS_FROM_ZERO = add_mistake(
    "rows-from-zero", "the chosen row counted from 0, as in programs; the first is 1"
)
NUMBER_FOR_ITS_ROW = add_mistake("number-for-its-row", "the highest number itself, not its row")
LOWEST_FOR_HIGHEST = add_mistake("lowest-for-highest", "the row of the lowest number")
ONE_LENGTH_ONLY = add_mistake(
    "one-length-only", "a dot product divided by one of two lengths only, as in half a cosine"
)
LENGTHS_ADDED = add_mistake("lengths-added", "two lengths were added, not multiplied, before they divided")
ABSOLUTES_SUMMED = add_mistake(
    "absolutes-summed", "a length as the sum of absolute values: not squared, and no root taken"
)
TIMES_TEMPERATURE = add_mistake("times-temperature", "multiplied by a temperature, not divided by it")
OTHER_LOGARITHM = add_mistake("other-logarithm", "the logarithm to base 10 (the key log), not ln")
HIGHEST_FOR_RIGHT = add_mistake(
    "highest-for-right", "the highest share in a column, not the share of the word that comes next"
)
TANH_LEFT_OUT = add_mistake("tanh-left-out", "a tanh was left out")
SIGMOID_FOR_TANH = add_mistake("sigmoid-for-tanh", "a sigmoid where a tanh belongs")
TANH_FOR_SIGMOID = add_mistake("tanh-for-sigmoid", "a tanh where a sigmoid belongs")
RELU_FOR_LEAKY_RELU = add_mistake(
    "relu-for-leaky-relu", "negative numbers became 0, where a leaky ReLU keeps some of each"
)
GATES_SWAPPED = add_mistake(
    "gates-swapped", "two gates changed places in a sum: i ⊙ c + f ⊙ g in place of f ⊙ c + i ⊙ g"
)
ONE_MINUS_H = add_mistake("one-minus-h", "the slope of tanh as 1 − h in place of 1 − h²", promised=True)
ADDED_IN_THE_CHAIN = add_mistake(
    "added-in-the-chain", "slopes along a chain were added, not multiplied", promised=True
)
WRONG_STEP = add_mistake(
    "wrong-step", "the same weights, but with the input of an earlier step", promised=True
)
V_LEFT_OUT = add_mistake(
    "v-left-out",
    "numbers were added up without being multiplied by their weights first; named after the weights",
    promised=True,
    template="{}-left-out",
)
DIAGONAL_ONLY = add_mistake(
    "diagonal-only",
    "back through a softmax with a · (1 − a) alone, as if a score moved only its own share",
    promised=True,
)
MEAN_FORGOTTEN = add_mistake(
    "mean-forgotten", "A ⊙ dA: the mean of the slopes was not subtracted on the way back", promised=True
)
BRACKETS_FORGOTTEN = add_mistake(
    "brackets-forgotten", "A ⊙ dA − mean for A ⊙ (dA − mean): multiplied first, then subtracted"
)
MEAN_NOT_WEIGHTED = add_mistake(
    "mean-not-weighted",
    "the plain mean of the slopes, in place of the mean weighted by the shares",
    promised=True,
)
SHARES_LEFT_OUT = add_mistake(
    "shares-left-out", "back through a softmax without multiplying by the shares", promised=True
)
SCALE_FORGOTTEN = add_mistake(
    "scale-forgotten-on-the-way-back",
    "the slopes of the scores were not divided by √d_k, although the scores were",
    promised=True,
)
UPHILL = add_mistake(
    "uphill",
    "t − z for z − t, Y − P for P − Y, or + in place of − in a learning step: the loss grows",
    promised=True,
)
ONE_NOT_SUBTRACTED = add_mistake(
    "one-not-subtracted", "P for P − Y: 1 was not subtracted from the right word's probability", promised=True
)
STOPPED_BEFORE_SOFTMAX = add_mistake(
    "stopped-before-softmax", "the slope for P, −Y / P, in place of that for the logits, P − Y"
)
HALF_FORGOTTEN = add_mistake(
    "half-forgotten", "2 (z − t), though the loss has ½ in it: the ½ and the 2 cancel", promised=True
)
TWO_LEFT_OUT = add_mistake("two-left-out", "the slope of x² as x, not 2x", promised=True)
RELU_FORGOTTEN = add_mistake(
    "relu-forgotten-on-the-way-back", "the slope was passed on where the ReLU had put 0", promised=True
)
RATE_LEFT_OUT = add_mistake(
    "rate-left-out", "a learning step by the whole slope, not multiplied by the learning rate"
)
OLD_WEIGHTS = add_mistake(
    "old-weights", "the weights from before a learning step, where those after it belong"
)
FORWARD_FOR_SLOPE = add_mistake(
    "forward-for-slope", "numbers of the forward pass where their slopes belong: Z for dZ"
)
NOT_TRANSPOSED = add_mistake("not-transposed", "V dZ in place of Vᵀ dZ, where the shapes allow it")
SIDES_SWAPPED = add_mistake(
    "sides-swapped", "on the way back, the factors of a product were swapped: Xᵀ on the wrong side"
)
AVERAGED = add_mistake("averaged", "the mean in place of the sum, as if averaging over a batch")
EARLIER_ANSWER = add_mistake(
    "earlier-answer", "the step still follows from an earlier answer that has been changed since"
)
ROUNDED_TOO_EARLY = add_mistake("rounded-too-early", "rounded before it was used, or to too few places")
CUT_OFF = add_mistake("cut-off", "the digits after the last place were cut off, not rounded")
ACCIDENTS = frozenset({ENTRIES_SWAPPED, WRONG_LINE, MISREAD, EARLIER_ANSWER})  # nobody believes in them


def promised_mistakes() -> frozenset[str]:
    """The mistakes that every draw tells apart wherever they can be made."""
    return frozenset(name for name, entry in REGISTRY.items() if entry.promised)


def describe_mistake(name: str) -> str:
    """What was done by who made the mistake of this name; of a relative, where it is clear of which one."""
    if name in REGISTRY:
        return REGISTRY[MistakeName(name)].done
    kin = [entry for entry in REGISTRY.values() if _is_of(entry.template, name)]
    longest = max((len(entry.template) for entry in kin), default=0)
    nearest = [entry.done for entry in kin if len(entry.template) == longest]
    return nearest[0] if len(nearest) == 1 else ""


def _is_of(template: str, name: str) -> bool:
    """Whether other words in a template make this name."""
    return bool(template) and bool(re.fullmatch(".+".join(map(re.escape, template.split("{}"))), name))
