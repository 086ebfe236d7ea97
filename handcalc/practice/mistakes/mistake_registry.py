"""Every mistake that has a name: what was done, and since when every draw promises to distinguish it.

A mistake is named with a name from this list, or the types do not fit; docs/mistakes.md is written from it.
"""

from __future__ import annotations

from handcalc.practice.mistakes.mistake_entries import REGISTRY as REGISTRY
from handcalc.practice.mistakes.mistake_entries import MistakeName as MistakeName
from handcalc.practice.mistakes.mistake_entries import describe_mistake as describe_mistake
from handcalc.practice.mistakes.mistake_entries import promised_mistakes as promised_mistakes
from handcalc.practice.mistakes.mistake_entries import register_mistake

SWAPPED = register_mistake(
    "queries-and-keys-swapped",
    "W_K was used for Q, or W_Q for K; also `keys-and-values-swapped` and the like",
    promised=1,
    template="{}-and-{}-swapped",
)
TRANSPOSED_SCORES = register_mistake(
    "transposed-scores", "Qᵀ K in place of Kᵀ Q", promised=1, template="transposed-{}"
)
NOT_SCALED = register_mistake("not-scaled", "S was not divided by √d_k, or the step was left out", promised=1)
DIVIDED_BY_SIZE = register_mistake(
    "divided-by-d_k", "divided by d_k, not by its root", promised=1, template="divided-by-{}"
)
DIVIDED_BY_OTHER_ROOT = register_mistake(
    "divided-by-sqrt-d_model",
    "divided by the root of the number of features; also `divided-by-sqrt-n`, of the number of tokens",
    promised=1,
    template="divided-by-sqrt-{}",
)
MASK_LEFT_OUT = register_mistake("mask-left-out", "nothing was hidden", promised=1)
MASK_WRONG_SIDE = register_mistake(
    "mask-wrong-side", "the earlier tokens were hidden, not the later ones", promised=1
)
MASK_AFTER_SOFTMAX = register_mistake(
    "mask-after-softmax",
    "softmax over all scores, with the hidden ones struck out only afterwards",
    promised=1,
)
ZERO_FOR_MINUS_INFINITY = register_mistake(
    "zero-for-minus-infinity", "hidden scores became 0, not −∞; but e^0 is 1"
)
TRUE_MEANS_HIDDEN = register_mistake(
    "true-means-hidden", "the mask is inverted: what may be seen was hidden, the rest was kept", promised=2
)
QUERIES_MASKED = register_mistake(
    "queries-masked-for-keys", "padding was hidden as a query, its column, not as a key, its row", promised=2
)
MASK_ADDED = register_mistake(
    "mask-added-as-numbers", "0 and 1 were added to the scores; 0 and −∞ belong there"
)
WINDOW_BOTH_SIDES = register_mistake(
    "window-both-sides", "a window that looks ahead as far as it looks back", promised=2
)
WINDOW_TOO_WIDE = register_mistake(
    "window-without-oneself", "a window counted without the token itself: one token too many is seen"
)
MASK_FROM_CORNER = register_mistake(
    "mask-from-the-corner",
    "a causal mask applied from the upper left corner, though there are fewer queries than keys",
)
CACHE_OF_QUERIES = register_mistake(
    "cache-of-queries",
    "something else was kept, such as the query in place of the key; also `cache-of-values` and the like",
    template="cache-of-{}",
)
PLACE_STARTS_AGAIN = register_mistake(
    "place-starts-again", "the first column was taken, as if each token started counting again"
)
TIMES_OTHER = register_mistake(
    "n-times-d",
    "a number was multiplied by another, not by itself: n · d for n · n",
    template="{}-times-{}",
)
TIMES_FOR_POWER = register_mistake("times-for-power", "e · s in place of e^s, with e or with 2.72")
POWER_OF_ZERO = register_mistake(
    "power-of-zero", "0 for every power with exponent 0; any number to the power of 0 is 1"
)
WRONG_BASE = register_mistake("wrong-base", "powers of 3 in place of e, or the other way round")
ROW_SOFTMAX = register_mistake(
    "row-softmax",
    "summed or normalized along each row; with tokens as rows it is `column-softmax` that is wrong",
    promised=1,
    template="{}-softmax",
)
NOT_NORMALISED = register_mistake(
    "not-normalised", "exponentials taken for probabilities: not divided by their sum", promised=1
)
IN_PERCENT = register_mistake("in-percent", "probabilities that add up to 100, not to 1")
ALONG_EACH_ROW = register_mistake(
    "along-each-row",
    "sums or means along the wrong axis, outside of softmax; also `along-each-column`",
    promised=1,
    template="along-each-{}",
)
TRANSPOSED_WEIGHTS = register_mistake(
    "transposed-weights", "V Aᵀ in place of V A", promised=1, template="transposed-{}"
)
RELU_LEFT_OUT = register_mistake("relu-left-out", "negative numbers were left as they are", promised=1)
FUNCTION_LEFT_OUT = register_mistake(
    "function-left-out", "a function, such as a sigmoid or a logarithm, was left out"
)
TERM_LEFT_OUT = register_mistake(
    "term-left-out", "a bias, or another term of a sum, was left out", promised=1
)
RESIDUAL_LEFT_OUT = register_mistake(
    "residual-left-out", "what went in was not added to what was found, but replaced by it", promised=1
)
NORM_BEFORE_ADDING = register_mistake(
    "norm-before-adding", "what a layer found was normed before it was added, but the sum should be normed"
)
PIXELS_BY_COLUMNS = register_mistake(
    "pixels-by-columns", "the pixels of a patch were read down, not along the rows"
)
PATCHES_OVERLAP = register_mistake(
    "patches-overlap", "the next patch begins one pixel further on, not where the last one ends"
)
PATCHES_BY_COLUMNS = register_mistake(
    "patches-by-columns", "the patches were taken column by column, not row by row"
)
CLASS_TOKEN_WITHOUT_PLACE = register_mistake(
    "class-token-without-place", "the class token got no place, though the patches got theirs"
)
N_MINUS_1 = register_mistake("n-minus-1", "a variance divided by one less than the number of numbers")
RELU_TWICE = register_mistake("relu-twice", "negative numbers became 0 once more, after the second layer")
ROOT_LEFT_OUT = register_mistake("root-left-out", "divided by the variance, not by its root", promised=1)
NOT_DIVIDED = register_mistake(
    "not-divided",
    "a mean that was only added up; or no division by a temperature, or by the feature of a missing weight",
)
UPSIDE_DOWN = register_mistake("upside-down", "a quotient upside down: divisor and dividend are swapped")
MIXTURE_LEFT_OUT = register_mistake(
    "mixture-left-out", "a step read the values themselves, not their mixture by shares"
)
LAYER_LEFT_OUT = register_mistake(
    "layer-left-out", "a step read what went into the previous layer, not what came out"
)
WINDOW_NOT_MOVED_ON = register_mistake(
    "window-not-moved-on", "the same window again: nothing new added, nothing dropped"
)
PRODUCT_LEFT_OUT = register_mistake("product-left-out", "one product is missing, in one number or in all")
SIGN_LOST = register_mistake(
    "sign-lost", "a minus sign overlooked, in one number, in a product, or in a whole matrix"
)
ENTRIES_SWAPPED = register_mistake("entries-swapped", "two numbers, rows or columns are swapped")
ROW_FOR_COLUMN = register_mistake("row-for-column", "in one number, a row was taken for a column")
WRONG_LINE = register_mistake("wrong-line", "another row or column was used, or copied")
MISREAD = register_mistake(
    "number-misread", "one number was misread, so a whole row or column made from it is wrong"
)
WRONG_WEIGHTS = register_mistake("wrong-weights", "the weights of another head, or of another layer")
PLACES_FROM_ONE = register_mistake(
    "places-from-one", "places of waves counted from 1; the first is 0", promised=2
)
SIN_COS_IN_HALVES = register_mistake(
    "sin-cos-in-halves",
    "all sines, then all cosines, in place of pairs: another order, harmless if it is used everywhere",
)
OWN_EXPONENT = register_mistake(
    "own-exponent",
    "the cosine has an exponent of its own, not that of its sine, so it is a different wave",
    promised=2,
)
PLACE_AND_FEATURE_SWAPPED = register_mistake(
    "place-and-feature-swapped",
    "the feature was taken for the place, and the place for the feature",
    promised=2,
)
PLACE_ALONG_THE_BATCH = register_mistake(
    "place-along-the-batch",
    "every word has the first place: in code, places were counted along the batch",
    promised=2,
)
DEGREES_FOR_RADIANS = register_mistake(
    "degrees-for-radians", "the calculator was set to degrees for an angle in radians, or the other way round"
)
LOOKED_UP_NEXT_DOOR = register_mistake(
    "looked-up-next-door", "a lookup counted from 0, not from 1: each column's neighbour was taken"
)
PLACES_MOVED_WITH_WORDS = register_mistake(
    "places-moved-with-words",
    "places moved along with their words, so that order could not matter",
    promised=2,
)
HEADS_ADDED = register_mistake("heads-added", "several heads added up, not stacked")
STACKED_IN_OTHER_ORDER = register_mistake(
    "stacked-in-other-order", "heads, or other parts, stacked in another order: the second above the first"
)
HEADS_BY_TOKENS = register_mistake(
    "heads-by-tokens",
    "reshaped without transposing: a head has all the numbers of some tokens, not some numbers of each",
)
HEADS_INTERLEAVED = register_mistake(
    "heads-interleaved", "a head took every second row, not rows that follow one another"
)
SAME_WEIGHTS = register_mistake(
    "same-weights-for-all-heads", "a step of another head: all heads were calculated with the same weights"
)
WEIGHTS_LEFT_OUT = register_mistake(
    "W_O-left-out", "the stack was taken for the result", template="{}-left-out"
)
WRONG_COLUMN = register_mistake(
    "wrong-column",
    "another column was taken, such as the first instead of the last: the highest logit of the wrong column",
    template="wrong-{}",
)
NOT_SHIFTED = register_mistake(
    "not-shifted", "started one column too early: the word that is fed in, not the next one"
)
SHIFTED_TWICE = register_mistake(
    "shifted-twice", "started one column too late: moved on by two words, not one"
)
FROM_OTHER = register_mistake(
    "queries-from-source",
    "from the other sentence, such as queries from what is read; also `keys-from-R` and the like",
    template="{}-from-{}",
)
ROWS_FROM_ZERO = register_mistake(
    "rows-from-zero", "the chosen row counted from 0, as in programs; the first is 1"
)
NUMBER_FOR_ITS_ROW = register_mistake("number-for-its-row", "the highest number itself, not its row")
LOWEST_FOR_HIGHEST = register_mistake("lowest-for-highest", "the row of the lowest number")
ONE_LENGTH_ONLY = register_mistake(
    "one-length-only", "a dot product divided by one of two lengths only, as in half a cosine"
)
LENGTHS_ADDED = register_mistake(
    "lengths-added", "two lengths were added, not multiplied, before they divided"
)
ABSOLUTES_SUMMED = register_mistake(
    "absolutes-summed", "a length as the sum of absolute values: not squared, and no root taken"
)
TIMES_TEMPERATURE = register_mistake("times-temperature", "multiplied by a temperature, not divided by it")
OTHER_LOGARITHM = register_mistake("other-logarithm", "the logarithm to base 10 (the key log), not ln")
HIGHEST_FOR_RIGHT = register_mistake(
    "highest-for-right", "the highest share in a column, not the share of the word that comes next"
)
TANH_LEFT_OUT = register_mistake("tanh-left-out", "a tanh was left out")
SIGMOID_FOR_TANH = register_mistake("sigmoid-for-tanh", "a sigmoid where a tanh belongs")
TANH_FOR_SIGMOID = register_mistake("tanh-for-sigmoid", "a tanh where a sigmoid belongs")
RELU_FOR_LEAKY_RELU = register_mistake(
    "relu-for-leaky-relu", "negative numbers became 0, where a leaky ReLU keeps some of each"
)
GATES_SWAPPED = register_mistake(
    "gates-swapped", "two gates changed places in a sum: i ⊙ c + f ⊙ g in place of f ⊙ c + i ⊙ g"
)
ONE_MINUS_H = register_mistake("one-minus-h", "the slope of tanh as 1 − h in place of 1 − h²", promised=2)
ADDED_IN_THE_CHAIN = register_mistake(
    "added-in-the-chain", "slopes along a chain were added, not multiplied", promised=2
)
WRONG_STEP = register_mistake(
    "wrong-step", "the same weights, but with the input of an earlier step", promised=2
)
V_LEFT_OUT = register_mistake(
    "v-left-out",
    "numbers were added up without being multiplied by their weights first; named after the weights",
    promised=2,
    template="{}-left-out",
)
DIAGONAL_ONLY = register_mistake(
    "diagonal-only",
    "back through a softmax with a · (1 − a) alone, as if a score moved only its own share",
    promised=3,
)
MEAN_FORGOTTEN = register_mistake(
    "mean-forgotten", "A ⊙ dA: the mean of the slopes was not subtracted on the way back", promised=3
)
BRACKETS_FORGOTTEN = register_mistake(
    "brackets-forgotten", "A ⊙ dA − mean for A ⊙ (dA − mean): multiplied first, then subtracted"
)
MEAN_NOT_WEIGHTED = register_mistake(
    "mean-not-weighted",
    "the plain mean of the slopes, in place of the mean weighted by the shares",
    promised=3,
)
SHARES_LEFT_OUT = register_mistake(
    "shares-left-out", "back through a softmax without multiplying by the shares", promised=3
)
SCALE_FORGOTTEN = register_mistake(
    "scale-forgotten-on-the-way-back",
    "the slopes of the scores were not divided by √d_k, although the scores were",
    promised=3,
)
UPHILL = register_mistake(
    "uphill",
    "t − z for z − t, Y − P for P − Y, or + in place of − in a learning step: the loss grows",
    promised=3,
)
ONE_NOT_SUBTRACTED = register_mistake(
    "one-not-subtracted", "P for P − Y: 1 was not subtracted from the right word's probability", promised=3
)
STOPPED_BEFORE_SOFTMAX = register_mistake(
    "stopped-before-softmax", "the slope for P, −Y / P, in place of that for the logits, P − Y"
)
HALF_FORGOTTEN = register_mistake(
    "half-forgotten", "2 (z − t), though the loss has ½ in it: the ½ and the 2 cancel", promised=3
)
TWO_LEFT_OUT = register_mistake("two-left-out", "the slope of x² as x, not 2x", promised=3)
RELU_FORGOTTEN = register_mistake(
    "relu-forgotten-on-the-way-back", "the slope was passed on where the ReLU had put 0", promised=3
)
RATE_LEFT_OUT = register_mistake(
    "rate-left-out", "a learning step by the whole slope, not multiplied by the learning rate"
)
OLD_WEIGHTS = register_mistake(
    "old-weights", "the weights from before a learning step, where those after it belong"
)
FORWARD_FOR_SLOPE = register_mistake(
    "forward-for-slope", "numbers of the forward pass where their slopes belong: Z for dZ"
)
NOT_TRANSPOSED = register_mistake("not-transposed", "V dZ in place of Vᵀ dZ, where the shapes allow it")
SIDES_SWAPPED = register_mistake(
    "sides-swapped", "on the way back, the factors of a product were swapped: Xᵀ on the wrong side"
)
AVERAGED = register_mistake("averaged", "the mean in place of the sum, as if averaging over a batch")
EARLIER_ANSWER = register_mistake(
    "earlier-answer", "the step still follows from an earlier answer that has been changed since"
)
ROUNDED_TOO_EARLY = register_mistake("rounded-too-early", "rounded before it was used, or to too few places")
CUT_OFF = register_mistake("cut-off", "the digits after the last place were cut off, not rounded")
ACCIDENTS = frozenset({ENTRIES_SWAPPED, WRONG_LINE, MISREAD, EARLIER_ANSWER})  # nobody believes in them
