"""One sheet in several tables: put together where they say the same, and never mixed where they do not."""

import filled_notebooks
import pytest
from class_files import class_of
from filled_notebooks import Here

from handcalc.classroom.marking import mark_class
from handcalc.classroom.marking.class_marks import read_marks


@pytest.fixture(scope="module")
def a_class(tmp_path_factory):
    return class_of(tmp_path_factory.mktemp("class") / "8b", ["Ada", "Ben"], "softmax")


def test_a_sheet_in_several_tables_is_put_together_where_they_do_not_contradict(a_class, tmp_path):
    entry = a_class.register[1]
    code, right = entry.code, filled_notebooks.by_loops(a_class, entry)
    head = "code,step,row,column,answer\n"

    def lines(*steps, off=0):
        return head + "".join(
            f"{code},{step},{i + 1},{j + 1},{number + off}\n"
            for step in steps
            for i, row in enumerate(right[step])
            for j, number in enumerate(row)
        )

    def rights(**files):
        for name, text in files.items():
            (tmp_path / f"{name}.csv").write_text(text)
        paths = [tmp_path / f"{name}.csv" for name in files]
        marks = mark_class.mark_submissions(a_class, paths, workers=Here(a_class), again=True)
        return [result.standing.count("right") for result in marks.every], marks.counting()[code]

    counts, counting = rights(
        one=lines("E") + f"{code},E,x,1,1\n", two=lines("E_sum", "A") + f"{code},E,y,1,1\n"
    )
    assert counts == [7, 7]
    assert counting.source.endswith("two.csv")
    marks = read_marks(a_class.path / "marks.json", a_class.register)
    [said] = [told.trouble for told in marks.told() if not told.counts]
    assert "one.csv is counted with " in said
    counts, counting = rights(one=lines("E"), two=lines("E_sum", "A"), three=lines("E", off=50))
    assert counts[0] == 7
    assert counting.standing.count("right") == 7
    counts, counting = rights(one=lines("E"), two=lines("E", "A", off=50))  # nothing is mixed
    assert counts == [3, 0]
