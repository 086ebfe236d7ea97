"""A class that is played: 30 students, 20 right, 10 with a mistake and correct work after it, 5 bad files.

Of four more students a bad file is all that there is, of one it is nobody's, and one hands in nothing. Right
answers and mistakes come from loops. What each sheet should come to does, too: a number that rests on the
mistake is lost track of as NaN through the same loops.
"""

import json
import random
import zipfile

import filled_notebooks
import known_mistakes
import numpy as np
import paper

from handcalc.classroom.folder.students import Student
from handcalc.classroom.handouts import class_folder
from handcalc.cli import main

TOPIC, PLACES = "self_attention", 2
TOLERANCE = 0.0051  # half a unit of two places
PLANTED = {  # student: the mistake, and the step
    3: ("not-scaled", "S_scaled"),
    5: ("row-softmax", "A"),
    8: ("transposed-scores", "S"),
    11: ("not-scaled", "S_scaled"),
    14: ("divided-by-d_k", "S_scaled"),
    17: ("row-softmax", "A"),
    20: ("queries-and-keys-swapped", "Q"),
    23: ("not-scaled", "S_scaled"),
    26: ("transposed-weights", "Z"),
    29: ("transposed-scores", "S"),
}
COUNT = 30
NAMES = [f"Student No. {k}" if k % 10 else f"=cmd|'{k}" for k in range(1, COUNT + 1)]
UNREAD = ["Ada Lovelace", "Bo Diddley", "Young, Cy", "Dot Matrix"]  # who hand in nothing but a bad file
ABSENT = ["Eve", "Fred Away"]  # the file of the first says nowhere whose it is
NAMES += [*UNREAD, *ABSENT]
MAKE = {(known.name, known.step): known.make for known in known_mistakes.KNOWN[: known_mistakes.OF_ONE_HEAD]}
WITNESS = "was-run"  # a file that exists if anything that was handed in was run


def slips(number):
    """What a student does wrong, for the loops."""
    return {PLANTED[number][1]: MAKE[PLANTED[number]]} if number in PLANTED else {}


def expected(calculation, number):
    """How many numbers are right, following and wrong on a sheet, from loops alone."""
    mine = paper.answered(calculation, TOPIC, PLACES, **slips(number))
    key = paper.answered(calculation, TOPIC)
    step = PLANTED.get(number, ("", ""))[1]
    if not step:
        return sum(np.size(M) for M in mine.values()), 0, 0
    by_hand = paper.answered(calculation, TOPIC, PLACES)[step]
    wrong = paper.apart(mine[step], by_hand, 2 * TOLERANCE)
    marred = np.where(wrong, np.nan, mine[step]).tolist()
    traced = paper.answered(calculation, TOPIC, PLACES, **{step: lambda see, right: marred})
    right = {
        name: ~np.isnan(traced[name]) | (~paper.apart(mine[name], key[name], TOLERANCE) & (name != step))
        for name in mine
    }
    count = sum(int(flags.sum()) for flags in right.values())
    total = sum(np.size(M) for M in mine.values())
    return count, total - count - int(wrong.sum()), int(wrong.sum())


def play(path):
    """Make the class, let everybody hand in, mark it and write its report; returns the folder."""
    students = [Student(name, id=f"S{number}") for number, name in enumerate(NAMES, start=1)]
    made = class_folder.make_class(path / "8b", students, class_folder.ClassSettings("8b", 2, [(TOPIC, 1)]))
    inbox = path / "in"
    inbox.mkdir()
    readable = made.register[:COUNT]
    answers = {
        entry.number: filled_notebooks.by_loops(made, entry, **slips(entry.number)) for entry in readable
    }
    with zipfile.ZipFile(inbox / "from-moodle.zip", "w") as archive:
        for entry in readable:
            hand_in(made, entry, answers[entry.number], inbox, archive)
    table(made, answers, inbox)
    bad_files(made, inbox)
    assert main(["class", "mark", str(made.path), str(inbox)]) == 0
    assert main(["class", "report", str(made.path)]) == 0
    return made


def hand_in(made, entry, answers, inbox, archive):
    """Notebooks, some of them in a zip, and practice logs; one in five is in the table."""
    text = filled_notebooks.filled(made, entry.code, answers)
    match entry.number % 5:
        case 0:
            archive.writestr(f"Student_{entry.number}_assignsubmission_file/my sheet.ipynb", text)
        case 1 | 2:
            (inbox / f"{entry.code} ({entry.number}).ipynb").write_text(text, "utf-8")
        case 3:
            lines = [json.dumps({"code": entry.code, **line}) for line in typed(answers)]
            (inbox / f"practice-{entry.number}.jsonl").write_text("\n".join(lines), "utf-8")


def typed(answers):
    """Number by number, in another order than they are asked for."""
    cells = [
        {"step": step, "row": i, "column": j, "text": f"{x:.10g}".replace(".", ",")}
        for step, rows in answers.items()
        for i, row in enumerate(rows)
        for j, x in enumerate(row)
    ]
    random.Random(1).shuffle(cells)
    return cells


def table(made, answers, inbox):
    """What one in five handed in on paper, typed by somebody else."""
    lines = ["code;step;row;column;answer"]
    for entry in made.register[:COUNT]:
        if entry.number % 5 == 4:
            for one in typed(answers[entry.number]):
                place = f"{one['row'] + 1};{one['column'] + 1}"
                lines.append(f"{entry.code};{one['step']};{place};{one['text']}")
    (inbox / "typed.csv").write_text("\n".join(lines), "utf-8")


def bad_files(made, inbox):
    """Broken, hostile, wrong, gigantic, nobody's: five files, and nothing else of these five students."""
    ada, bo, young, dot, _, _ = made.register[COUNT:]
    text = (made.path / "notebooks" / f"{ada.code}.ipynb").read_text("utf-8")
    (inbox / f"{ada.code} broken.ipynb").write_text(text[: len(text) // 2], "utf-8")
    (inbox / "worked out.ipynb").write_text(hostile(made, bo, inbox), "utf-8")
    (inbox / f"{young.name}.ipynb").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(1000))
    with zipfile.ZipFile(inbox / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{dot.name}_77_assignsubmission_file/sheet.ipynb", bytes(30_000_000))
    (inbox / "brackets.ipynb").write_text("[" * 100_000)


def hostile(made, entry, inbox):
    """A student's own notebook, with code that does harm and works the answers out."""
    notebook = json.loads((made.path / "notebooks" / f"{entry.code}.ipynb").read_text("utf-8"))
    run = f"import pathlib; pathlib.Path({str(inbox / WITNESS)!r}).touch()"
    for cell in notebook["cells"]:
        if found := filled_notebooks.BLANKS.match("".join(cell["source"])):
            cell["source"] = f"{run}\n{found[1]} = worked_out()"
    return json.dumps(notebook)
