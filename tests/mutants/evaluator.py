"""Mutants of the evaluator in the browser: its arithmetic, what it reads and feeds, how it writes numbers."""

ROOM = (
    "handcalc/views/browser/record/operations.js handcalc/views/browser/record/elementwise.js "
    "handcalc/views/browser/record/numbers.js "
    "handcalc/views/browser/record/calculation.js handcalc/views/browser/record/expression.js "
    "handcalc/views/browser/record/matrix.js handcalc/views/browser/record/chain.js "
    "handcalc/views/browser/record/reach.js"
)
TESTS = ("browser_evaluator", "browser_modules", "browser_record")
MUTANTS = (
    ("for (let k = 0; k < count; k += 1) total", "for (let k = 1; k < count; k += 1) total"),
    ("difference: (a, b) => a - b", "difference: (a, b) => b - a"),
    ("quotient: (a, b) => a / b", "quotient: (a, b) => a * (1 / b) * (1 + 1e-11)"),
    ("root: (a) => Math.sqrt(a)", "root: (a) => Math.cbrt(a)"),
    ("(op.axis === 0 ? (k) => read(k, j) : (k) => read(i, k))", "((k) => read(k, j))"),
    ("[shape[0] > 1 ? i : 0, shape[1] > 1 ? j : 0]", "[i, shape[1] > 1 ? j : 0]"),
    ("m.product(a(i, k), b(k, j))", "m.product(b(k, j), a(i, k))"),
    ("m.power(a, m.constant(op.exponent))", "m.power(a, m.constant(2))"),
    ("m.power(m.constant(op.base), a)", "m.power(m.e, a)"),
    (
        "op.allowed[i][j] ? a(i, j) : m.constant(-Infinity)",
        "op.allowed[j][i] ? a(i, j) : m.constant(-Infinity)",
    ),
    ('m.call("max", m.constant(0), a)', 'm.call("max", a)'),
    (
        'return m.difference(a(i, j), m.call("max", ...wholeLine(op, a, shapes, i, j)));',
        'return m.difference(a(i, j), m.call("min", ...wholeLine(op, a, shapes, i, j)));',
    ),
    ("a(j, i)", "a(i, j)"),
    ("place[op.axis] >= shapes[k][op.axis]", "place[op.axis] > shapes[k][op.axis]"),
    ("a(i + op.start, j) : a(i, j + op.start)", "a(i + op.start, j) : a(i, j)"),
    ("a(op.indices[i], j) : a(i, op.indices[j])", "a(op.indices[i], j) : a(i, op.indices[0])"),
    ("m.constant(feature - odd)", "m.constant(feature)"),
    ('odd ? "cos" : "sin"', 'odd ? "sin" : "cos"'),
    ("&& Math.abs(highest) >", "&& highest >"),
    ("cell[2], this.idleSteps()].join();", "cell[2]].join();"),
    (
        "!matrix.inputs.some((input) => dirty.has(input))",
        "!matrix.inputs.slice(1).some((input) => dirty.has(input))",
    ),
    ("dirty.add(matrix);", ""),
    ("if (this.isIdle) return this.inputs[0].part(m, operand, row, column);", ""),
    ("if (!found.has(at)) found.set(at, cell);", "found.set(at, cell);"),
    ("{ height: count, width: 1, corner: (i, j) => j },", "{ height: count, width: 1, corner: (i) => i },"),
)
