"""A large calculation: its map, one block at a time, the ways between them; saved, what a file leaves out."""

import json
import re

import cases
import numpy as np
import pytest
from axe import ALL_BUT_COLOURS, violations
from on_page import arithmetic

import handcalc as hc
from handcalc.notation import packed_numbers
from handcalc.views import saved_page
from handcalc.views.atlas import atlas_outline, block_sheets

LAYER = cases.build("encoder_layer")
HEAD = "attention.head_2"


@pytest.fixture(autouse=True)
def _small_is_large(monkeypatch):
    """What takes millions of numbers elsewhere happens here with a few."""
    monkeypatch.setattr(atlas_outline, "MAX_NUMBERS_AT_ONCE", 100)
    monkeypatch.setattr(block_sheets, "HEAVY_GIVEN", 8)


@pytest.fixture
def atlas():
    widget = hc.explore(LAYER)
    yield widget
    widget.close()


def computed(block):
    """The sheet of a block, calculated again from what a page is sent: the first of its forms."""
    spec = json.loads(json.dumps(block["variants"][0]["spec"]))
    for entry in spec["matrices"]:
        if "like" in entry.get("values", ()):  # numbers that two givens share travel once
            _, place = entry["values"]["like"]
            other = spec["matrices"][place]
            values = np.array(packed_numbers.unpack_numbers(other["values"], other["shape"]))
            entry["values"] = (values.T if entry["values"]["transposed"] else values).tolist()
    return hc.Calculation.from_spec(spec)


def entries(block):
    return {entry["name"]: entry for entry in block["variants"][0]["spec"]["matrices"] if entry["name"]}


def sent(widget, path, monkeypatch):
    """What the kernel answers to a page that opens a block."""
    answers = []
    monkeypatch.setattr(widget, "send", answers.append)
    widget._answer(widget, {"open": path}, [])
    (answer,) = answers
    assert answer["path"] == path
    return answer["block"]


def test_it_opens_with_the_map_and_one_block_and_no_other_numbers(atlas):
    assert list(atlas.first) == ["attention.head_1"]
    written = json.dumps(atlas.book)
    assert [block["path"] for block in atlas.book["blocks"]] == ["", *LAYER.blocks]
    assert '"values":' not in written
    assert {m["name"] for m in atlas.book["matrices"]} >= set(LAYER)


@pytest.mark.parametrize("has_weights", [True, False])
@pytest.mark.parametrize(
    "calculation",
    [LAYER, cases.build("decoder_layer").in_convention("rows"), hc.examples.gpt("abab")],
    ids=["encoder layer", "decoder layer, rows", "gpt"],
)
def test_every_block_has_the_numbers_of_the_whole(calculation, has_weights):
    for path in saved_page.drawn_blocks(calculation):
        block = block_sheets.block_sheet(calculation, path, has_weights=has_weights)
        about = entries(block)
        for name, matrix in computed(block).items():
            whole = calculation[about[name]["origin"]].values
            # the same operations on the same numbers, in another order at most
            np.testing.assert_allclose(matrix.values, whole, rtol=1e-9, atol=1e-12)


def test_a_block_of_a_block_knows_what_is_its_own():
    attention = LAYER.blocks["attention"]
    block = block_sheets.block_sheet(attention, "head_2")
    about = entries(block)
    assert not about["W_Q"]["from_outside"]
    assert about["W_Q"]["origin"] == "head_2.W_Q"
    assert about["Z"]["into"] == [""]
    assert block_sheets.block_sheet(attention, "head_2", has_weights=False)["left_out"] == [
        f"head_2.W_{kind}" for kind in "QKV"
    ]


def test_a_page_that_opens_a_block_gets_it(atlas, monkeypatch):
    assert sent(atlas, HEAD, monkeypatch) == block_sheets.block_sheet(LAYER, HEAD)


def test_its_html_has_the_map_and_the_first_block_alone(atlas):
    html = LAYER._repr_html_()
    assert html.count("<details>") == 1
    assert "7 more blocks are not shown here" in html
    twin = atlas._repr_mimebundle_()[0]["text/html"]
    assert "hc-map" in twin
    assert "Attention head 1" in twin


def test_a_number_knows_where_it_comes_from_and_into_which_blocks_it_goes(atlas, monkeypatch):
    norm = entries(sent(atlas, "add_norm_1.norm", monkeypatch))
    assert (norm["R"]["origin"], norm["R"]["from_outside"]) == ("add_norm_1.R", True)
    assert (norm["N"]["from_outside"], norm["N"]["into"]) == (False, ["ff", "add_norm_2"])
    head = entries(sent(atlas, HEAD, monkeypatch))
    assert (head["W_Q"]["from_outside"], head["W_Q"]["into"]) == (False, [])
    assert head["Z"]["into"] == ["attention"]


@pytest.mark.parametrize("message", [{"open": "layer_9"}, {"open": None}, {}, "attention", None], ids=str)
def test_what_is_no_block_is_told_in_a_sentence_or_not_answered(atlas, message, monkeypatch):
    answers = []
    monkeypatch.setattr(atlas, "send", answers.append)
    atlas._answer(atlas, message, [])
    assert [answer["block"].keys() for answer in answers] == [{"trouble"}] * (message == {"open": "layer_9"})


@pytest.mark.parametrize(
    ("place", "path"), [("head_2", HEAD), ("head_2.Z[2,1]", HEAD), ("attention", "attention"), ("X", "")]
)
def test_it_opens_at_a_block_or_a_number(place, path):
    widget = hc.explore(LAYER, open=place)
    assert list(widget.first) == [path or "attention.head_1"]
    widget.close()


def moved(widget, monkeypatch, numbers, at="ff", convention="columns"):
    answers = []
    monkeypatch.setattr(widget, "send", answers.append)
    widget._answer(widget, {"moved": numbers, "convention": convention, "at": at}, [])
    (answer,) = answers
    return answer


def test_a_given_that_was_moved_reaches_all_blocks(atlas, monkeypatch):
    W_V = LAYER["attention.head_1.W_V"].values.copy()
    W_V[1, 2] = 7
    there = {"attention.head_1.W_V": [[2, 1, 7.0]]}  # as a page with tokens as rows has it
    assert moved(atlas, monkeypatch, there, convention="rows") == {"followed": True, "is_behind": True}
    expected = LAYER.with_givens(**{"attention.head_1.W_V": W_V})
    np.testing.assert_array_equal(atlas.calculation["ff.Y"].values, expected["ff.Y"].values)
    monkeypatch.undo()
    block = computed(block_sheets.block_sheet(atlas.calculation, "attention"))
    np.testing.assert_array_equal(block["Z"].values, expected["attention.Z"].values)


def test_moves_in_several_blocks_add_up_and_are_put_back_together(atlas, monkeypatch):
    first = {"attention.head_1.W_V": [[0, 0, 2.0]]}
    assert moved(atlas, monkeypatch, first, at="attention.head_1") == {"followed": True, "is_behind": False}
    moved(atlas, monkeypatch, {"ff.b_2": [[0, 0, -1.0]]})
    assert atlas.calculation["attention.head_1.W_V"].values[0, 0] == 2
    assert atlas.calculation["ff.b_2"].values[0, 0] == -1
    assert moved(atlas, monkeypatch, {}) == {"followed": True, "is_behind": True}
    assert atlas.calculation is LAYER


@pytest.mark.parametrize(
    "numbers",
    [
        {"attention.Z": [[0, 0, 1.0]]},
        {"nobody": [[0, 0, 1.0]]}, {"ff.b_2": [[99, 0, 1.0]]}, {"ff.b_2": [[0, 0, "one"]]},
        {"ff.b_2": [[0, 0, float("nan")]]}, {"ff.b_2": 3}, {"ff.b_2": [[0, 0]]}, {"ff.b_2": [["a", 0, 1.0]]},
        {"ff.b_2": [[float("inf"), 0, 1.0]]},
    ],
    ids=str,
)  # fmt: skip
def test_what_cannot_be_moved_is_told_and_changes_nothing(atlas, numbers, monkeypatch):
    answer = moved(atlas, monkeypatch, numbers)
    assert answer.keys() == {"followed", "trouble"}
    assert "\n" not in answer["trouble"]
    assert atlas.calculation is LAYER


def test_a_page_that_does_not_say_where_it_is_open_is_answered(atlas, monkeypatch):
    assert moved(atlas, monkeypatch, {"ff.b_2": [[0, 0, 1.0]]}, at=[]) == {
        "followed": True,
        "is_behind": False,
    }


def test_closed_it_lets_go_of_the_calculation():
    widget = hc.explore(LAYER)
    widget.close()
    assert (widget.calculation, widget._moves, widget.book, widget.first) == (None, None, {}, {})


def test_of_a_long_table_only_the_columns_are_sent_that_are_looked_up(monkeypatch):
    monkeypatch.setattr(block_sheets, "LONG_TABLE", 6)
    table = hc.Matrix(np.arange(40.0).reshape(2, 20), "W_E", columns=[f"word {k}" for k in range(20)])
    with hc.block("embedding"):
        E = hc.embedding(table, [17, 3, 17]).named("E")
    block = block_sheets.block_sheet(hc.Calculation(E, (E + E).named("twice")), "embedding")
    again = computed(block)
    assert again["W_E"].columns == ("word 3 4", "word 17 18")  # counted from 1
    assert again["W_E"].meaning == "2 of 20 columns"
    assert entries(block)["W_E"][
        "is_part"
    ]  # its columns have other places in the whole: moving one stays here
    np.testing.assert_array_equal(again["E"].values, table.values[:, [17, 3, 17]])


def test_a_block_without_its_weights_goes_on_from_what_was_calculated_with_them():
    block = block_sheets.block_sheet(LAYER, HEAD, has_weights=False)
    assert block["left_out"] == [f"{HEAD}.W_{kind}" for kind in "QKV"]
    again = computed(block)
    assert list(again.givens) == ["Q", "K", "V"]
    assert again.givens["Q"].meaning == block_sheets.WITHOUT_WEIGHTS
    assert computed(block_sheets.block_sheet(LAYER, "ff", has_weights=False))[
        "Y"
    ].is_given  # what others read stays
    whole = LAYER.blocks[HEAD]
    for name in again:
        np.testing.assert_allclose(again[name].values, whole[name].values, rtol=1e-12)


def test_of_a_block_with_too_many_numbers_the_weights_stay_behind(monkeypatch):
    monkeypatch.setattr(block_sheets, "MAX_BLOCK_NUMBERS", 100)
    block = block_sheets.block_sheet(LAYER, "ff")
    assert (block["left_out"], block["is_file"]) == (["ff.W_1", "ff.b_1", "ff.W_2", "ff.b_2"], False)
    assert block_sheets.block_sheet(LAYER, HEAD, has_weights=False)["is_file"]


def test_a_table_that_two_blocks_read_stays_behind_where_it_is_too_large(monkeypatch):
    monkeypatch.setattr(block_sheets, "MAX_BLOCK_NUMBERS", 20)
    monkeypatch.setattr(block_sheets, "SHARED_TABLE", 20)
    table = hc.Matrix(np.arange(40.0).reshape(2, 20), "W_E")
    with hc.block("embedding"):
        E = hc.embedding(table, [17, 3]).named("E")
    with hc.block("logits"):
        logits = (table.T @ E).named("logits")
        sums = hc.column_sums(logits).named("sums")
    block = block_sheets.block_sheet(hc.Calculation(sums), "logits")
    assert block["left_out"] == ["W_E"]
    assert list(computed(block).givens) == ["logits"]


def test_it_opens_with_what_is_calculated_first_though_steps_of_no_block_come_after():
    with hc.block("first"):
        A = (hc.Matrix(np.ones((9, 9)), "W") @ hc.Matrix(np.ones((9, 9)), "X")).named("A")
    with hc.block("second"):
        B = hc.relu(A).named("B")
    calculation = hc.Calculation((A + B).named("Y"))
    widget = hc.explore(calculation)
    assert list(widget.first) == ["first"]
    widget.close()
    rest = saved_page.written_blocks(
        calculation, "", lambda _, block: json.dumps(block), saved_page.MAX_PAGE_BYTES
    )[""]
    assert 'calc.level("").save_html("block.html") saves it alone.' in json.loads(rest)["trouble"]
    assert list(calculation.level("").steps) == ["Y"]


@pytest.mark.parametrize("kilobytes", [1, 25, 200, 10_000])
def test_blocks_fill_a_file_from_the_one_that_is_open_on(kilobytes, monkeypatch):
    monkeypatch.setattr(saved_page, "MAX_PAGE_BYTES", 1_000 * kilobytes)
    found = saved_page.written_blocks(LAYER, HEAD, lambda _, block: json.dumps(block), 0)
    read = {path: json.loads(block) for path, block in found.items()}
    lacking = [path for path, block in read.items() if "trouble" in block]
    size = sum(len(found[path]) for path in found if path not in lacking)
    assert size <= 1_000 * kilobytes
    assert list(found)[:2] == [HEAD, "attention.head_1"]
    whole = [path for path, block in read.items() if block.get("left_out") == []]
    assert bool(lacking) == (kilobytes < 200)
    assert all(f'calc.blocks["{path}"].save_html(' in read[path]["trouble"] for path in lacking if path)
    assert len(whole) == len(found) or kilobytes < 10_000


@pytest.mark.slow
def test_a_saved_atlas_has_each_block_once_and_no_other_numbers(tmp_path):
    LAYER.save_html(tmp_path / "page.html", open="head_2.Z[2,1]")
    text = (tmp_path / "page.html").read_text("utf-8")
    assert re.findall(r'data-path="([^"]*)"', text) == saved_page.by_nearness(
        saved_page.drawn_blocks(LAYER), HEAD
    )
    assert 'data-at="attention.head_2.Z[2,1]"' in text


@pytest.mark.slow
def test_the_map_and_all_names_count_among_the_bytes_of_a_page(tmp_path, monkeypatch):
    sizes = []
    for most in (10, 10_000_000):
        monkeypatch.setattr(saved_page, "MAX_PAGE_BYTES", most)
        LAYER.save_html(tmp_path / "page.html")
        sizes.append((tmp_path / "page.html").stat().st_size)
    without, whole = sizes
    monkeypatch.setattr(saved_page, "MAX_PAGE_BYTES", most := (without + whole) // 2)
    LAYER.save_html(tmp_path / "page.html")
    assert without < (tmp_path / "page.html").stat().st_size <= most


def test_to_a_class_a_block_is_presented():
    with pytest.raises(
        hc.HandcalcError, match=r"^present cannot show so many numbers at once; show one block, such as .*\.$"
    ):
        hc.present(LAYER)


# on a page ---------------------------------------------------------------------------------------

OUTLINE = """({ atlas_outline, ports }, [book, path, entry]) => {
  const found = new atlas_outline.Outline(book);
  const here = found.levels.byPath.get(path);
  const { from, into } = atlas_outline.leadsTo(entry, found.levels, here);
  return [from && ports.titlesTo(from, here), into.map((level) => ports.titlesTo(level, here))];
}"""


@pytest.mark.slow
def test_ways_are_told_by_the_titles_that_are_not_around_the_reader_too(node):
    book = atlas_outline.outline_spec(LAYER)
    norm = block_sheets.block_sheet(LAYER, "add_norm_1.norm")
    told = {name: node(OUTLINE, [book, "add_norm_1.norm", entry]) for name, entry in entries(norm).items()}
    assert told["N"] == [None, ["Feed-forward", "Add & norm 2"]]
    assert told["R"] == ["Add & norm 1", []]
    assert told["gamma"] == [None, []]


KEPT = """async ({ block_cache }, [most, paths]) => {
  const asked = [];
  const matrices = (path) => [{ shape: [2, Number(path)] }, { operation: {}, shape: [9, 9] }];
  const block = (path) => ({ variants: [{ spec: { matrices: matrices(path) } }] });
  const fetch = async (path) => (asked.push(path), path === "0" ? { trouble: "none" } : block(path));
  const kept = new block_cache.BlockCache(fetch, most);
  for (const path of paths) await kept.get(path);
  return asked.join(" ");
}"""


@pytest.mark.parametrize(
    ("most", "paths", "asked"),
    [
        (100, "5 6 5 6", "5 6"),
        (20, "5 6 5 6", "5 6 5 6"),
        (23, "5 6 1 6 5", "5 6 1 5"),  # 5 was opened longest ago
        (1, "5 5", "5"),  # the open one stays, however large
        (100, "0 0", "0 0"),
    ],
)
def test_blocks_are_kept_as_long_as_they_are_not_too_much(node, most, paths, asked):
    assert node(KEPT, [most, paths.split()]) == asked


MOVES = """({ moved_givens }, [start, now]) => {
  const matrix = (values, from_outside) => ({
    entry: { origin: "layer_1.W", from_outside },
    hasMoved: String(values) !== String(start),
    ...{ columnCount: 2, values, start },
    at: (row, column) => values[2 * row + column],
  });
  const found = new moved_givens.MovedGivens();
  const told = now.map((values) => found.take([matrix(values, false), matrix(values, true)]));
  found.turn();
  return [told, found.words, [...found.cells.get("layer_1.W").values()]];
}"""


def test_what_was_moved_and_moved_back_is_sent_as_it_is_now(node):
    told, words, turned = node(MOVES, [[1, 2, 3, 4], [[1, 2, 9, 4], [1, 2, 9, 8], [1, 2, 3, 8]]])
    assert told == [
        {"layer_1.W": [[1, 0, 9]]},
        {"layer_1.W": [[1, 0, 9], [1, 1, 8]]},
        {"layer_1.W": [[1, 0, 3], [1, 1, 8]]},
    ]
    assert words == "Moved: layer_1.W[1,2], layer_1.W[2,2]. Every block is calculated with this."
    assert turned == [[0, 1, 3], [1, 1, 8]]


@pytest.mark.slow
def test_a_reader_goes_from_block_to_block_and_each_number_keeps_its_arithmetic(open_page, monkeypatch):
    monkeypatch.setattr(saved_page, "_least", lambda calculation, path: 10**9 * (path == "ff"))
    view = open_page(LAYER)
    opened = view.locator(".hc-atlas > .hc-blocks [aria-current]")
    links = view.locator(".hc-opened .hc-links")

    def here():
        return opened.inner_text().strip()

    view.locator(".hc-opened td[data-row]").first.wait_for()
    assert here() == "Attention head 1"
    view.locator('.hc-map [data-block="ff"]').first.click()
    view.locator('.hc-opened td[data-step="H"]').first.wait_for()
    assert here() == "Feed-forward"
    assert (
        "This file leaves out W1, b1, W2 and b2" in view.locator(".hc-atlas [role=status]").first.inner_text()
    )
    view.locator(".hc-comes").get_by_text("Layer norm").click()
    view.locator('.hc-opened td[data-step="gamma"]').first.wait_for()
    view.locator('.hc-opened td[data-step="N"]').nth(4).click()
    text, number = arithmetic(view), view.locator(".hc-result").first.inner_text()
    assert "goes on into Feed-forward, Add & norm 2" in links.inner_text()
    links.get_by_text("Add & norm 2").click()
    view.locator('.hc-opened td[data-step="R"]').first.wait_for()
    assert view.locator(".hc-result").first.inner_text() == number
    assert "comes from Add & norm 1 › Layer norm  |  feeds R[" in links.inner_text()
    links.get_by_text("Layer norm").click()
    view.locator('.hc-opened td[data-step="gamma"]').first.wait_for()
    assert arithmetic(view) == text
    view.get_by_role("button", name="Back to the block before").first.click()
    view.locator('.hc-opened td[data-step="R"]').first.wait_for()
    assert here() == "Add & norm 2"
    assert violations(view, **ALL_BUT_COLOURS) == []


@pytest.mark.slow
def test_words_on_the_map_stay_where_their_blocks_are_not_loaded(open_page):
    view = open_page(hc.examples.translation("small black cat"))
    view.locator(".hc-opened td[data-row]").first.wait_for()
    assert view.locator(".hc-map b").all_text_contents() == ["gato", "negro", "pequeño", "<end>"]
