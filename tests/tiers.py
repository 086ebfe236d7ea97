"""Which tests are slow, or sweeps, besides those that have the mark: most of what tests go through.

Many tests go through every topic, every calculation or every picture. In `make test` they leave out those
that cost most and have nothing of their own; `.ci/run` has them. Some look at one in three, and only
`make test-all` at the others.
"""

from collections import Counter
from collections.abc import Iterable

import cases
import pytest

LARGE = {  # by the name of the parameter
    "topic": {
        "ablation", "attention_backwards", "block", "causal_self_attention", "class_token", "count_scores",
        "cross_attention", "cross_step", "induction", "kv_cache_step", "linear_layer", "lstm_cell",
        "matrix_product", "missing_weight", "multi_head_attention", "order_matters", "patch_embedding",
        "projections", "residual", "scores", "sliding_window", "softmax_base_3", "softmax_temperature",
        "split_heads", "teacher_forcing", "two_layers",
    },
    "case": {
        "additive_attention", "argmax", "backwards", "cached_attention", "cross_attention",
        "cross_attention_masked", "decoder_layer", "encoder_layer", "encoder_layer_of_a_gpt",
        "multi_head_attention_on_Y", "positional_encoding_turned", "residual", "rnn_with_slopes",
        "self_attention", "self_attention_large_causal", "self_attention_unscaled", "softmax_large",
        "softmax_warm", "split_heads",
        *cases.FUNCTIONS, *cases.ORDERS,  # every_function and every_order have them side by side
    },
    "example": {
        "all_at_once", "fading", "gpt", "gpt_loss", "heads", "six_words", "temperatures", "transformer_block",
        "two_bars", "two_layers", "window",
    },
    "name": {"alphafold_alg11", "your_own"},
    "page": {"09_a_translation", "15_a_trained_gpt"},  # of docs/teaching
    "template": {"heads/3_all_blank"},
    "picture": {
        "arrows", "arrows, four", "fading", "growth", "growth, few", "heads", "jacobian, eight", "joined",
        "layer", "layer, masked", "layer, rows", "mixture, other rows", "mixture, sentence", "one page",
        "patches, six", "shares, words", "tower", "valley, W_V", "way back", "way back, from X",
        "way back, two heads",
    },
}  # fmt: skip


ONE_IN = 3
SAMPLED = {  # their functions
    "test_a_calculation_written_as_json_and_read_again_is_the_same",
    "test_a_cell_feeds_the_cells_whose_source_it_is",
    "test_a_cell_that_would_cost_much_costs_little_and_the_others_are_read",
    "test_a_code_says_how_the_sheet_asks_too",
    "test_a_file_that_cannot_be_read_gets_one_sentence",
    "test_a_hostile_argument_is_answered_in_one_short_sentence",
    "test_a_matrix_shows_its_text_row_by_row_with_its_labels",
    "test_a_missing_field_or_an_unfit_one_does_not_validate",
    "test_a_page_marks_every_topic_as_python_does",
    "test_a_sheet_of_the_collection_saved_and_read_again_is_the_same",
    "test_a_sheet_shows_the_numbers_that_its_text_shows",
    "test_a_wrong_step_is_told_and_nothing_breaks",
    "test_an_example_of_many_blocks_is_the_same",
    "test_an_untouched_template_is_not_attempted",
    "test_every_cell_says_reads_and_feeds_what_it_does_in_python",
    "test_every_explanation_evaluates_to_its_cell",
    "test_every_mistake_shows_where_the_words_differ",
    "test_every_name_becomes_one_that_python_accepts_and_needs_for_nothing_else",
    "test_every_number_stands_inside_its_cell",
    "test_every_number_stands_once_in_full_with_its_arithmetic",
    "test_every_page_but_the_last_is_used_and_all_stand_upright",
    "test_every_slip_in_every_number_of_a_product_is_named",
    "test_every_text_has_contrast_on_what_is_behind_it",
    "test_files_copies_and_turning_twice_give_the_same_again",
    "test_filled_with_a_known_mistake_it_is_never_all_right",
    "test_filled_wrongly_not_one_number_is_correct",
    "test_it_has_a_section_for_every_step_with_formula_and_reason",
    "test_it_is_unexecuted_and_valid",
    "test_it_opens_with_12_to_36_fields_and_takes_about_ten_minutes",
    "test_it_plans_ten_minutes_of_practice_with_its_sheet_and_names_the_commands",
    "test_it_shows_itself_with_words_beside_it_and_saves_the_same_bytes",
    "test_its_numbers_are_those_of_the_slides_which_ask_for_them",
    "test_latex_and_mathml_state_the_same_numbers",
    "test_no_line_stops_practice",
    "test_no_number_that_a_mistake_spoils_is_taken_for_right",
    "test_no_text_leaves_the_figure",
    "test_no_text_sits_on_the_border_of_a_box",
    "test_no_two_matrices_of_a_sheet_have_one_label_and_none_names_a_block_that_is_not_there",
    "test_no_two_texts_overlap",
    "test_no_two_texts_overlap_and_none_leaves_the_margins",
    "test_on_problems_each_mistake_is_named_and_what_follows_is_credited",
    "test_other_givens_make_the_numbers_that_with_givens_makes",
    "test_other_numbers_in_the_givens_give_what_numpy_gives_and_back_again",
    "test_page_and_python_say_what_is_stored_of_every_topic",
    "test_saved_and_read_again_it_is_the_same",
    "test_so_is_the_end_alone_when_the_rest_was_rounded_on_other_paper",
    "test_ten_minutes_have_at_most_36_fields_unless_the_least_step_has_more",
    "test_text_and_html_say_the_same",
    "test_texts_stand_apart_within_the_figure_and_no_line_runs_through_one",
    "test_the_arithmetic_of_a_hint_comes_to_what_it_says_with_the_numbers_that_it_shows",
    "test_the_number_that_is_worked_has_as_much_to_show_as_any",
    "test_the_numbers_are_those_of_numpy",
    "test_the_record_sorts_letter_by_letter",
    "test_two_numbers_that_changed_places_are_named",
    "test_what_is_written_validates",
    "test_what_still_follows_from_a_mended_mistake_is_told_as_that_and_as_nothing_else",
    "test_whatever_is_folded_has_the_same_numbers",
    "test_whoever_calculates_with_all_digits_and_writes_rounded_numbers_is_told_the_same",
    "test_wild_numbers_never_raise_and_spoil_nothing_before_them",
}


LARGE_NOTEBOOKS = {
    "05_heads", "09_a_translation", "12_the_cost", "13_pictures_as_tokens", "14_backwards",
    "15_a_trained_gpt", "16_a_real_model",
}  # fmt: skip


def is_large(parameters: dict[str, object]) -> bool:
    """Whether a test with these parameters is slow by what it looks at."""
    values = {name: parameters[name] for name in LARGE.keys() & parameters}
    return any(getattr(value, "stem", value) in [*LARGE[name]] for name, value in values.items())


def add_marks(tests: Iterable[pytest.Item]) -> None:
    """A test of something large is slow; of a test that is sampled two in three are sweeps."""
    turn: Counter[str] = Counter()
    for test in tests:
        if test.path.suffix == ".ipynb" and test.path.stem in LARGE_NOTEBOOKS:
            test.add_marker("slow")
        if not (call := getattr(test, "callspec", None)):
            continue
        name = test.originalname
        if name in SAMPLED and turn[name] % ONE_IN:
            test.add_marker("sweep")
        elif is_large(call.params):
            test.add_marker("slow")
        turn[name] += 1


def is_kept(parameters: object, left_out: set[str]) -> bool:
    """Whether a test is made of these, which may have marks of their own."""
    return not left_out.intersection(mark.name for mark in getattr(parameters, "marks", ()))
