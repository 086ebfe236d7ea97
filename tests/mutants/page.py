"""Mutants of practice in a page: how near a number has to be, what is claimed, which words are said."""

ROOM = "handcalc/views/browser/practice/*.js"
TESTS = ("practice_without_python", "mistakes_without_python")
MUTANTS = (
    ("right[k] - 2 * value", "right[k] - value"),
    ("found.length === 1 && one.kind.least === 1", "one?.kind.least === 1"),
    ("!(one.kind.off_by && isOff())", "true"),
    ("...cell.map(counted)]", "...cell]"),
    ("Math.trunc(value * scale * (1 + 1e-15)) / scale", "Math.round(value * scale) / scale"),
    ("other(columnCount, column, columns,", "other(columnCount, column, rows,"),
    ("return this.replay.read(matrices[rest[0]]);", "return matrices[rest[0]].values;"),
    ('ways)) return isSound ? "correct" : "follows"', 'ways)) return "correct"'),
)
