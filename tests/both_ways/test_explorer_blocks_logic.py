"""Blocks in the explorer, what needs no page: sheets, links, back and on, find."""

import cases
import pytest

ENCODER = cases.build("encoder_layer")
SPEC = ENCODER.to_spec()
SHEETS = """({ calculation: { Calculation }, sheet_levels, variants, cell_address }, [spec, wanted]) => {
  const calculation = new Calculation(spec);
  const all = new sheet_levels.Levels(calculation);
  const named = (cell) => cell && [cell[0].name, ...cell.slice(1)];
  const told = (found) => found && [found.level.path, named(found.cell)];
  const find = (text) => told(cell_address.resolveAddress(text, all, calculation));
  %s
}"""


def in_levels(node, code, wanted=None):
    return node(SHEETS % code, [SPEC, wanted])


def test_each_sheet_holds_what_python_puts_on_it(node):
    code = """const names = (matrices) => matrices.map((m) => m.name);
      return all.list.map(({ path, steps, inputs }) => [path, names(steps), names(inputs)])"""
    found = {path: (steps, inputs) for path, steps, inputs in in_levels(node, code)}
    assert list(found) == ["", *ENCODER.blocks]
    for path, (steps, inputs) in found.items():
        level = ENCODER.level(path)
        assert steps == [level.origin(m).name for m in level.steps.values()]
        assert inputs == ([level.origin(m).name for m in level.inputs.values()] if path else [])


def test_blocks_come_in_the_order_in_which_they_are_calculated(node):
    order = in_levels(node, "return all.worked.map((level) => level.path)")
    assert order == [
        "attention.head_1", "attention.head_2", "attention", "add_norm_1", "add_norm_1.norm",
        "ff", "add_norm_2", "add_norm_2.norm",
    ]  # fmt: skip


def test_titles_that_two_blocks_share_get_their_numbers(node):
    labels = dict(in_levels(node, "return all.list.map((level) => [level.path, level.label])"))
    assert labels["add_norm_1"] == "Add & norm 1"
    assert labels["add_norm_2"] == "Add & norm 2"
    assert labels["add_norm_1.norm"] == "Layer norm"
    assert labels["attention.head_2"] == "Attention head 2"


LINKS = {
    "attention.head_1": ["attention.head_1", None],
    "head_2": ["attention.head_2", None],
    "attention.head_1.Z[2,1]": ["attention.head_1", ["attention.head_1.Z", 1, 0]],
    "head_1.Z[2, 1]": ["attention.head_1", ["attention.head_1.Z", 1, 0]],
    "head_2.S": ["attention.head_2", ["attention.head_2.S", 0, 0]],
    "X[6,4]": ["", ["X", 5, 3]],
    "X[7,1]": None,
    "X[0,1]": None,
    "no.such": None,
    "head_1.Z[2,1": None,
    "__proto__": None,
}


def test_a_link_is_a_block_a_matrix_or_a_number_counted_from_1(node):
    assert in_levels(node, "return wanted.map(find)", list(LINKS)) == list(LINKS.values())


def test_every_number_has_an_address_that_leads_back_to_it(node):
    code = """return calculation.matrices.filter((m) => m.isVisible).every((m) => {
      const cell = [m, m.rowCount - 1, m.columnCount - 1];
      const link = cell_address.linkTo(cell_address.addressOf(cell));
      const back = cell_address.resolveAddress(cell_address.inLink(link), all, calculation);
      return back.cell.every((part, k) => part === cell[k]) && back.level === all.home(m);
    })"""
    assert in_levels(node, code)
    assert node("({ cell_address }) => cell_address.inLink('#100%')") == "100%"


FOUND = "return finder.findings(all, wanted).map(({ text }) => text)"


@pytest.mark.parametrize(
    ("typed", "first", "count"),
    [
        ("concat", ["attention.concat"], 1),
        ("z", ["attention.Z", "attention.head_1.Z", "attention.head_2.Z"], 3),
        ("scores", ["attention.head_1.S", "attention.head_2.S"], None),
        ("head 2", ["attention.head_2"], None),
        ("attention.head_1.q", ["attention.head_1.Q"], None),
        ("  ", [], 0),
        ("nothing of the kind", [], 0),
    ],
)
def test_a_name_a_meaning_or_a_title_is_found(node, typed, first, count):
    code = SHEETS.replace("address }", "address, finder }") % FOUND
    found = node(code, [SPEC, typed])
    assert found[: len(first)] == first
    assert count is None or len(found) == count


def test_back_and_on_as_in_a_browser(node):
    code = """({ history }, moves) => {
      const been = new history.History("a", 100);
      return moves.map((move) => {
        if (typeof move === "number") return been.go(move);
        been.add(move);
        return been.now;
      }).concat(been.canGoBack, been.canGoOn);
    }"""
    assert node(code, ["b", "c", -1, -1, -1, 1, "d", 1, -2]) == [
        "b",
        "c",
        "b",
        "a",
        None,
        "b",
        "d",
        None,
        "a",
        False,
        True,
    ]


def test_names_are_written_as_the_sheet_that_is_looked_at_writes_them(node):
    code = """all.byPath.get(wanted).look();
      const names = ["attention.head_1.Z", "attention.concat"];
      return names.map((name) => calculation.byName.get(name).cellName(0, 0))"""
    assert in_levels(node, code, "attention.head_1") == ["Z[1,1]", "concat[1,1]"]
    assert in_levels(node, code, "attention") == ["Z[1,1] of head 1", "concat[1,1]"]


def test_what_is_not_open_is_not_computed(node):
    """A number of the first block is chosen, and what it feeds is asked for: nothing else is worked out."""
    code = """const block = all.byPath.get("attention.head_1");
      block.steps.forEach((m) => m.values);
      calculation.feeds(block.result[0], 0, 0);
      const computed = calculation.matrices.filter((m) => m.name && !m.isGiven && !m.isStale);
      return computed.map((m) => all.home(m).path)"""
    assert set(in_levels(node, code)) == {"attention.head_1"}


def test_of_what_is_called_alike_the_nearest_comes_first(node):
    code = (
        SHEETS.replace("address }", "address, finder }")
        % """
      const found = finder.findings(all, "N", all.byPath.get(wanted));
      return found.map(({ text }) => text)"""
    )
    for here, first in [("add_norm_1", "add_norm_1.norm.N"), ("add_norm_2.norm", "add_norm_2.norm.N")]:
        assert node(code, [SPEC, here])[0] == first
