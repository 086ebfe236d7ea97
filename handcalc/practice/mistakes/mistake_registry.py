"""Every mistake that has a name: what was done, and since when every draw promises to distinguish it.

A mistake is named with a name from this list, or the types do not fit; docs/mistakes.md is written from it.
"""

from __future__ import annotations

from handcalc.practice.mistakes.mistake_entries import REGISTRY as REGISTRY
from handcalc.practice.mistakes.mistake_entries import Name as Name
from handcalc.practice.mistakes.mistake_entries import done as done
from handcalc.practice.mistakes.mistake_entries import enter
from handcalc.practice.mistakes.mistake_entries import promised as promised

SWAPPED = enter(
    "queries-and-keys-swapped",
    "W_K was used for Q, or W_Q for K; also `keys-and-values-swapped` and the like",
    promised=1,
    template="{}-and-{}-swapped",
)
TRANSPOSED_SCORES = enter("transposed-scores", "Qᵀ K in place of Kᵀ Q", promised=1, template="transposed-{}")
NOT_SCALED = enter("not-scaled", "S was not divided by √d_k, or the step was left out", promised=1)
DIVIDED_BY_SIZE = enter(
    "divided-by-d_k", "divided by d_k, not by its root", promised=1, template="divided-by-{}"
)
DIVIDED_BY_OTHER_ROOT = enter(
    "divided-by-sqrt-d_model",
    "divided by the root of the number of features; also `divided-by-sqrt-n`, of the number of tokens",
    promised=1,
    template="divided-by-sqrt-{}",
)
MASK_LEFT_OUT = enter("mask-left-out", "nothing was hidden", promised=1)
MASK_WRONG_SIDE = enter("mask-wrong-side", "the earlier tokens were hidden, not the later ones", promised=1)
MASK_AFTER_SOFTMAX = enter(
    "mask-after-softmax",
    "softmax over all scores, with the hidden ones struck out only afterwards",
    promised=1,
)
ZERO_FOR_MINUS_INFINITY = enter("zero-for-minus-infinity", "hidden scores became 0, not −∞; but e^0 is 1")
TRUE_MEANS_HIDDEN = enter(
    "true-means-hidden", "the mask is inverted: what may be seen was hidden, the rest was kept", promised=2
)
QUERIES_MASKED = enter(
    "queries-masked-for-keys", "padding was hidden as a query, its column, not as a key, its row", promised=2
)
MASK_ADDED = enter("mask-added-as-numbers", "0 and 1 were added to the scores; 0 and −∞ belong there")
WINDOW_BOTH_SIDES = enter(
    "window-both-sides", "a window that looks ahead as far as it looks back", promised=2
)
WINDOW_TOO_WIDE = enter(
    "window-without-oneself", "a window counted without the token itself: one token too many is seen"
)
MASK_FROM_CORNER = enter(
    "mask-from-the-corner",
    "a causal mask applied from the upper left corner, though there are fewer queries than keys",
)
CACHE_OF_QUERIES = enter(
    "cache-of-queries",
    "something else was kept, such as the query in place of the key; also `cache-of-values` and the like",
    template="cache-of-{}",
)
PLACE_STARTS_AGAIN = enter(
    "place-starts-again", "the first column was taken, as if each token started counting again"
)
TIMES_OTHER = enter(
    "n-times-d",
    "a number was multiplied by another, not by itself: n · d for n · n",
    template="{}-times-{}",
)
TIMES_FOR_POWER = enter("times-for-power", "e · s in place of e^s, with e or with 2.72")
POWER_OF_ZERO = enter("power-of-zero", "0 for every power with exponent 0; any number to the power of 0 is 1")
WRONG_BASE = enter("wrong-base", "powers of 3 in place of e, or the other way round")
ROW_SOFTMAX = enter(
    "row-softmax",
    "summed or normalized along each row; with tokens as rows it is `column-softmax` that is wrong",
    promised=1,
    template="{}-softmax",
)
NOT_NORMALISED = enter(
    "not-normalised", "exponentials taken for probabilities: not divided by their sum", promised=1
)
IN_PERCENT = enter("in-percent", "probabilities that add up to 100, not to 1")
ALONG_EACH_ROW = enter(
    "along-each-row",
    "sums or means along the wrong axis, outside of softmax; also `along-each-column`",
    promised=1,
    template="along-each-{}",
)
TRANSPOSED_WEIGHTS = enter("transposed-weights", "V Aᵀ in place of V A", promised=1, template="transposed-{}")
RELU_LEFT_OUT = enter("relu-left-out", "negative numbers were left as they are", promised=1)
FUNCTION_LEFT_OUT = enter("function-left-out", "a function, such as a sigmoid or a logarithm, was left out")
TERM_LEFT_OUT = enter("term-left-out", "a bias, or another term of a sum, was left out", promised=1)
RESIDUAL_LEFT_OUT = enter(
    "residual-left-out", "what went in was not added to what was found, but replaced by it", promised=1
)
NORM_BEFORE_ADDING = enter(
    "norm-before-adding", "what a layer found was normed before it was added, but the sum should be normed"
)
PIXELS_BY_COLUMNS = enter("pixels-by-columns", "the pixels of a patch were read down, not along the rows")
PATCHES_OVERLAP = enter(
    "patches-overlap", "the next patch begins one pixel further on, not where the last one ends"
)
PATCHES_BY_COLUMNS = enter("patches-by-columns", "the patches were taken column by column, not row by row")
CLASS_TOKEN_WITHOUT_PLACE = enter(
    "class-token-without-place", "the class token got no place, though the patches got theirs"
)
N_MINUS_1 = enter("n-minus-1", "a variance divided by one less than the number of numbers")
RELU_TWICE = enter("relu-twice", "negative numbers became 0 once more, after the second layer")
ROOT_LEFT_OUT = enter("root-left-out", "divided by the variance, not by its root", promised=1)
NOT_DIVIDED = enter(
    "not-divided",
    "a mean that was only added up; or no division by a temperature, or by the feature of a missing weight",
)
UPSIDE_DOWN = enter("upside-down", "a quotient upside down: divisor and dividend are swapped")
MIXTURE_LEFT_OUT = enter("mixture-left-out", "a step read the values themselves, not their mixture by shares")
LAYER_LEFT_OUT = enter("layer-left-out", "a step read what went into the previous layer, not what came out")
WINDOW_NOT_MOVED_ON = enter(
    "window-not-moved-on", "the same window again: nothing new added, nothing dropped"
)
PRODUCT_LEFT_OUT = enter("product-left-out", "one product is missing, in one number or in all")
SIGN_LOST = enter("sign-lost", "a minus sign overlooked, in one number, in a product, or in a whole matrix")
ENTRIES_SWAPPED = enter("entries-swapped", "two numbers, rows or columns are swapped")
ROW_FOR_COLUMN = enter("row-for-column", "in one number, a row was taken for a column")
WRONG_LINE = enter("wrong-line", "another row or column was used, or copied")
MISREAD = enter("number-misread", "one number was misread, so a whole row or column made from it is wrong")
WRONG_WEIGHTS = enter("wrong-weights", "the weights of another head, or of another layer")
PLACES_FROM_ONE = enter("places-from-one", "places of waves counted from 1; the first is 0", promised=2)
SIN_COS_IN_HALVES = enter(
    "sin-cos-in-halves",
    "all sines, then all cosines, in place of pairs: another order, harmless if it is used everywhere",
)
OWN_EXPONENT = enter(
    "own-exponent",
    "the cosine has an exponent of its own, not that of its sine, so it is a different wave",
    promised=2,
)
PLACE_AND_FEATURE_SWAPPED = enter(
    "place-and-feature-swapped",
    "the feature was taken for the place, and the place for the feature",
    promised=2,
)
PLACE_ALONG_THE_BATCH = enter(
    "place-along-the-batch",
    "every word has the first place: in code, places were counted along the batch",
    promised=2,
)
DEGREES_FOR_RADIANS = enter(
    "degrees-for-radians", "the calculator was set to degrees for an angle in radians, or the other way round"
)
LOOKED_UP_NEXT_DOOR = enter(
    "looked-up-next-door", "a lookup counted from 0, not from 1: each column's neighbour was taken"
)
PLACES_MOVED_WITH_WORDS = enter(
    "places-moved-with-words",
    "places moved along with their words, so that order could not matter",
    promised=2,
)
HEADS_ADDED = enter("heads-added", "several heads added up, not stacked")
STACKED_IN_OTHER_ORDER = enter(
    "stacked-in-other-order", "heads, or other parts, stacked in another order: the second above the first"
)
HEADS_BY_TOKENS = enter(
    "heads-by-tokens",
    "reshaped without transposing: a head has all the numbers of some tokens, not some numbers of each",
)
HEADS_INTERLEAVED = enter(
    "heads-interleaved", "a head took every second row, not rows that follow one another"
)
SAME_WEIGHTS = enter(
    "same-weights-for-all-heads", "a step of another head: all heads were calculated with the same weights"
)
WEIGHTS_LEFT_OUT = enter("W_O-left-out", "the stack was taken for the result", template="{}-left-out")
WRONG_COLUMN = enter(
    "wrong-column",
    "another column was taken, such as the first instead of the last: the highest logit of the wrong column",
    template="wrong-{}",
)
NOT_SHIFTED = enter("not-shifted", "started one column too early: the word that is fed in, not the next one")
SHIFTED_TWICE = enter("shifted-twice", "started one column too late: moved on by two words, not one")
FROM_OTHER = enter(
    "queries-from-source",
    "from the other sentence, such as queries from what is read; also `keys-from-R` and the like",
    template="{}-from-{}",
)
ROWS_FROM_ZERO = enter("rows-from-zero", "the chosen row counted from 0, as in programs; the first is 1")
NUMBER_FOR_ITS_ROW = enter("number-for-its-row", "the highest number itself, not its row")
LOWEST_FOR_HIGHEST = enter("lowest-for-highest", "the row of the lowest number")
ONE_LENGTH_ONLY = enter(
    "one-length-only", "a dot product divided by one of two lengths only, as in half a cosine"
)
LENGTHS_ADDED = enter("lengths-added", "two lengths were added, not multiplied, before they divided")
ABSOLUTES_SUMMED = enter(
    "absolutes-summed", "a length as the sum of absolute values: not squared, and no root taken"
)
TIMES_TEMPERATURE = enter("times-temperature", "multiplied by a temperature, not divided by it")
OTHER_LOGARITHM = enter("other-logarithm", "the logarithm to base 10 (the key log), not ln")
HIGHEST_FOR_RIGHT = enter(
    "highest-for-right", "the highest share in a column, not the share of the word that comes next"
)
TANH_LEFT_OUT = enter("tanh-left-out", "a tanh was left out")
SIGMOID_FOR_TANH = enter("sigmoid-for-tanh", "a sigmoid where a tanh belongs")
TANH_FOR_SIGMOID = enter("tanh-for-sigmoid", "a tanh where a sigmoid belongs")
RELU_FOR_LEAKY_RELU = enter(
    "relu-for-leaky-relu", "negative numbers became 0, where a leaky ReLU keeps some of each"
)
GATES_SWAPPED = enter(
    "gates-swapped", "two gates changed places in a sum: i ⊙ c + f ⊙ g in place of f ⊙ c + i ⊙ g"
)
ONE_MINUS_H = enter("one-minus-h", "the slope of tanh as 1 − h in place of 1 − h²", promised=2)
ADDED_IN_THE_CHAIN = enter(
    "added-in-the-chain", "slopes along a chain were added, not multiplied", promised=2
)
WRONG_STEP = enter("wrong-step", "the same weights, but with the input of an earlier step", promised=2)
V_LEFT_OUT = enter(
    "v-left-out",
    "numbers were added up without being multiplied by their weights first; named after the weights",
    promised=2,
    template="{}-left-out",
)
DIAGONAL_ONLY = enter(
    "diagonal-only",
    "back through a softmax with a · (1 − a) alone, as if a score moved only its own share",
    promised=3,
)
MEAN_FORGOTTEN = enter(
    "mean-forgotten", "A ⊙ dA: the mean of the slopes was not subtracted on the way back", promised=3
)
BRACKETS_FORGOTTEN = enter(
    "brackets-forgotten", "A ⊙ dA − mean for A ⊙ (dA − mean): multiplied first, then subtracted"
)
MEAN_NOT_WEIGHTED = enter(
    "mean-not-weighted",
    "the plain mean of the slopes, in place of the mean weighted by the shares",
    promised=3,
)
SHARES_LEFT_OUT = enter(
    "shares-left-out", "back through a softmax without multiplying by the shares", promised=3
)
SCALE_FORGOTTEN = enter(
    "scale-forgotten-on-the-way-back",
    "the slopes of the scores were not divided by √d_k, although the scores were",
    promised=3,
)
UPHILL = enter(
    "uphill",
    "t − z for z − t, Y − P for P − Y, or + in place of − in a learning step: the loss grows",
    promised=3,
)
ONE_NOT_SUBTRACTED = enter(
    "one-not-subtracted", "P for P − Y: 1 was not subtracted from the right word's probability", promised=3
)
STOPPED_BEFORE_SOFTMAX = enter(
    "stopped-before-softmax", "the slope for P, −Y / P, in place of that for the logits, P − Y"
)
HALF_FORGOTTEN = enter(
    "half-forgotten", "2 (z − t), though the loss has ½ in it: the ½ and the 2 cancel", promised=3
)
TWO_LEFT_OUT = enter("two-left-out", "the slope of x² as x, not 2x", promised=3)
RELU_FORGOTTEN = enter(
    "relu-forgotten-on-the-way-back", "the slope was passed on where the ReLU had put 0", promised=3
)
RATE_LEFT_OUT = enter(
    "rate-left-out", "a learning step by the whole slope, not multiplied by the learning rate"
)
OLD_WEIGHTS = enter("old-weights", "the weights from before a learning step, where those after it belong")
FORWARD_FOR_SLOPE = enter(
    "forward-for-slope", "numbers of the forward pass where their slopes belong: Z for dZ"
)
NOT_TRANSPOSED = enter("not-transposed", "V dZ in place of Vᵀ dZ, where the shapes allow it")
SIDES_SWAPPED = enter(
    "sides-swapped", "on the way back, the factors of a product were swapped: Xᵀ on the wrong side"
)
AVERAGED = enter("averaged", "the mean in place of the sum, as if averaging over a batch")
EARLIER_ANSWER = enter(
    "earlier-answer", "the step still follows from an earlier answer that has been changed since"
)
ROUNDED_TOO_EARLY = enter("rounded-too-early", "rounded before it was used, or to too few places")
CUT_OFF = enter("cut-off", "the digits after the last place were cut off, not rounded")
ACCIDENTS = frozenset({ENTRIES_SWAPPED, WRONG_LINE, MISREAD, EARLIER_ANSWER})  # nobody believes in them
