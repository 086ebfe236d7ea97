"""Texts of steps: what each step of a formula means and why it is there, for learners.

They are true in both conventions: each token, each query, and nothing about where it is on the sheet.
"""

from __future__ import annotations

from typing import NamedTuple


class StepText(NamedTuple):
    """The same of a step, and the stage of its sheet that it belongs to."""

    meaning: str
    why: str
    stage: str


STEP_TEXTS = {
    "Q": StepText(
        "queries",
        "What is each token looking for? Its query, a weighted sum of its features.",
        "Project",
    ),
    "K": StepText(
        "keys",
        "What can each token be found by? Its key, another weighted sum of its features.",
        "Project",
    ),
    "V": StepText(
        "values",
        "What does each token pass on? Its value, a third weighted sum of its features.",
        "Project",
    ),
    "S": StepText(
        "scores",
        "How well does each key match each query? Their dot product tells you, one for every pair.",
        "Compare",
    ),
    "S_scaled": StepText(
        "scaled",
        "Longer keys give larger scores; dividing by the root of their length evens this out.",
        "Compare",
    ),
    "S_divided": StepText(
        "scaled",
        "Dividing by the length of a key, not by its square root, brings scores closer together than needed.",
        "Compare",
    ),
    "S_biased": StepText(
        "with the bias",
        "What is known beforehand is added to each score: what is far off, or later, gets less.",
        "Compare",
    ),
    "S_masked": StepText(
        "hidden keys at −∞",
        "Which keys may a query not look at? Their scores become −∞, so that their shares become 0.",
        "Compare",
    ),
    "later": StepText(
        "later keys at −∞",
        "A query may not look at later tokens: their scores become −∞, so that their shares become 0.",
        "Compare",
    ),
    "padding": StepText(
        "padding at −∞",
        "Padding only fills up a short sentence: no query may look at it, so its scores become −∞.",
        "Compare",
    ),
    "far": StepText(
        "later and far keys at −∞",
        "A query may look at itself and a few tokens before it: all other scores become −∞.",
        "Compare",
    ),
    "later_and_padding": StepText(
        "later keys and padding at −∞",
        "A query may look neither at later tokens nor at padding: their scores become −∞.",
        "Compare",
    ),
    "far_and_padding": StepText(
        "far keys and padding at −∞",
        "A query may look at itself and a few tokens before it, never at padding: the rest becomes −∞.",
        "Compare",
    ),
    "S_tempered": StepText(
        "tempered",
        "A temperature above 1 makes the shares more even; one below 1 gives more to the highest score.",
        "Share",
    ),
    "S_shifted": StepText(
        "minus each query's highest",
        "Exponentials of such scores would be too large; subtracting each query's highest keeps the shares.",
        "Share",
    ),
    "E": StepText(
        "exponentials",
        "Shares cannot be negative: e to the power of a score never is, and it grows fast with the score.",
        "Share",
    ),
    "E_sum": StepText(
        "a sum for each query",
        "Adds up the exponentials of each query; divided by their sum, they become shares.",
        "Share",
    ),
    "A": StepText(
        "attention weights",
        "How much attention does each query pay to each key? Its share of the sum; all shares add up to 1.",
        "Share",
    ),
    "Z": StepText(
        "weighted values",
        "What does each query gather? The sum of all values, each multiplied by its share.",
        "Mix",
    ),
    "x": StepText(
        "the new token",
        "Which token has come? Only this one is new; everything before it is kept.",
        "Read",
    ),
    "q": StepText(
        "its query",
        "What is the new token looking for? Its query is never needed again, so it is not kept.",
        "Project",
    ),
    "k": StepText(
        "its key", "What does the new token have to offer? Every later query will meet this key.", "Project"
    ),
    "v": StepText(
        "its value", "What does the new token pass on? Every later token may gather it.", "Project"
    ),
    "K_kept": StepText(
        "keys so far",
        "The keys kept so far, and the new one beside them: nothing old is calculated again.",
        "Keep",
    ),
    "V_kept": StepText(
        "values so far",
        "The values kept so far, and the new one beside them: nothing old is calculated again.",
        "Keep",
    ),
    "Z_kept": StepText(
        "what each gathered",
        "What each token gathered, calculated when it came and never again.",
        "Gather",
    ),
    "concat": StepText(
        "the heads, stacked",
        "Every head has gathered something different; stacked, each token has all of it.",
        "Join",
    ),
    "mixed": StepText(
        "the heads, mixed",
        "What do all heads say together? Each new feature is a weighted sum of everything they gathered.",
        "Mix",
    ),
    "H": StepText(
        "hidden layer",
        "Which patterns does each token show? Each hidden number weighs its features and adds a constant.",
        "Expand",
    ),
    "H_relu": StepText(
        "only what is positive",
        "A pattern that is absent should not count: negative numbers become 0.",
        "Activate",
    ),
    "H_gelu": StepText(
        "negative numbers faded out",
        "A pattern that is absent should hardly count: negative numbers are faded out, not cut off.",
        "Activate",
    ),
    "H_active": StepText(
        "after the activation",
        "Sends every number through the same curve; without that, two layers could do no more than one.",
        "Activate",
    ),
    "Y": StepText(
        "output",
        "What do the patterns mean for each token? Each feature weighs them and adds a constant.",
        "Contract",
    ),
    "R": StepText(
        "input plus what was found",
        "The input is kept: what was found is added to it, so that nothing gets lost.",
        "Add",
    ),
    "mean": StepText(
        "a mean for each token",
        "Where do a token's features lie on average? Adds them up and divides by how many there are.",
        "Centre",
    ),
    "centred": StepText(
        "distance from the mean",
        "How far does each feature lie from its token's mean? Their sum is now 0.",
        "Centre",
    ),
    "variance": StepText(
        "mean of the squares",
        "How far do a token's features spread? The distances from the mean, squared and averaged.",
        "Measure",
    ),
    "sample_variance": StepText(
        "squares over n − 1",
        "How far do a token's features spread? Divided by one less than their number, as STDEV does.",
        "Measure",
    ),
    "N": StepText(
        "normed",
        "To keep numbers in bounds, each token gets mean 0 and variance 1, then a learned scale and shift.",
        "Rescale",
    ),
    "so_far": StepText(
        "the words so far",
        "What has been written so far? One column for each word, looked up in the table.",
        "Read",
    ),
    "p_next": StepText(
        "for the next word",
        "What comes next? Only the last token has read everything, so only its column is asked.",
        "Choose",
    ),
    "word": StepText(
        "row of the highest, counted from 1",
        "Which word is it? The one with the highest probability, or the first of several equal ones.",
        "Choose",
    ),
    "chosen": StepText(
        "1 at the chosen word",
        "Where in the table is that word? A 1 there and 0 elsewhere, so that a product looks it up.",
        "Choose",
    ),
    "looked_up": StepText(
        "the word, looked up",
        "What does the model know about the chosen word? Its features, which it reads with the next word.",
        "Choose",
    ),
    "x_t": StepText(
        "the token of this step",
        "Tokens come one after another; this is the one that is read now.",
        "Read",
    ),
    "before_tanh": StepText(
        "token and memory, weighed",
        "What does the new token say, and what is remembered? Both are weighed and added.",
        "Read",
    ),
    "state": StepText(
        "state",
        "All that is remembered after this step, kept between −1 and 1.",
        "Remember",
    ),
    "states": StepText(
        "all states",
        "What was remembered after each step, side by side, one for each token.",
        "Join",
    ),
    "slope_of_step": StepText(
        "slope of this step",
        "By what factor does a small change in the state before change this one?",
        "Look back",
    ),
    "slope_of_all": StepText(
        "slope since the first state",
        "How much of a small change in the first state arrives here? The slopes of all steps, multiplied.",
        "Look back",
    ),
    "before_tanh_of_score": StepText(
        "query and key, added",
        "Two matrices bring query and key to the same length; then they are added, not multiplied.",
        "Compare",
    ),
    "inside": StepText(
        "kept between −1 and 1",
        "No number counts for more than 1, however long the key is.",
        "Compare",
    ),
    "additive": StepText(
        "additive scores",
        "How well does each key match the query? A weighted sum of the numbers inside, one for each key.",
        "Compare",
    ),
}
