"""Mutants of the way back: each operation's rule, rules of several together, formulas, losses."""

ROOM = "handcalc/operations/*.py handcalc/gradients/*.py handcalc/formulas/losses.py"
TESTS = ("folding", "losses", "gradients")
MUTANTS = (
    (
        "return grad_output @ right.T if operand == 0 else left.T @ grad_output",
        "return grad_output @ right.T if operand == 0 else grad_output.T @ left",
    ),
    ("derivative = number_leaf(1), -number_leaf(1)", "derivative = number_leaf(1), number_leaf(1)"),
    ('if tree.head in ("operand", "result"):', 'if tree.head == "result":'),
    ('if tree.head in ("operand", "result"):', 'if tree.head == "operand":'),
    ("derivative = 1 / other, -(y / other)", "derivative = 1 / other, y / other"),
    (
        'derivative = parameter_leaf("exponent") * x ** (parameter_leaf("exponent") - 1)',
        'derivative = x ** (parameter_leaf("exponent") - 1)',
    ),
    ('y * Log.of(parameter_leaf("base"))', "y"),
    ("derivative = 1 / (2 * y)", "derivative = 1 / y"),
    ("derivative = 1 / x", "derivative = 1 / y"),
    ("derivative = 1 - y**2", "derivative = 1 - y"),
    ("derivative = y * (1 - y)", "derivative = y"),
    ("derivative = Step.of(x)", "derivative = y"),
    ('derivative = Step.of(x, below=parameter_leaf("alpha"))', "derivative = Step.of(x)"),
    ("np.heaviside(a, 0.0)", "np.heaviside(a, 1.0)"),
    ('"sign": np.sign', '"sign": lambda a: np.where(a < 0, -1.0, 1.0)'),
    ("0.5 * (1 + bend) + 0.5 * a * (1 - bend**2) *", "0.5 * (1 + bend) + 0 *"),
    ("trees.share(near) + near *", "trees.share(near) + 0 *"),
    ("return Repeat(count, self.axis)(grad_output / count)", "return Repeat(count, self.axis)(grad_output)"),
    ("return grad_output - is_far * (highest * Sums(self.axis)(grad_output))", "return grad_output"),
    (
        "return Slice(start, start + inputs[operand].shape[self.axis], self.axis)(grad_output)",
        "return Slice(0, inputs[operand].shape[self.axis], self.axis)(grad_output)",
    ),
    ("return Scatter(range(self.start, self.stop),", "return Scatter(range(self.stop - self.start),"),
    ("left = [(k, index) for k, index in left if k not in places]", "left = []"),
    (
        "return Assemble(self.size, inputs[0].shape[self.axis], self.axis)(grad_output)",
        "return Assemble(self.size, inputs[0].shape[self.axis], self.axis)(grad_output * 2)",
    ),
    ("joint.shares * (grad_output - mean)", "joint.shares * (1 - joint.shares) * grad_output"),
    ("grad_output - joint.shares * Sums(joint.axis)(grad_output)", "grad_output - joint.shares"),
    ("set(readers[powers]) != {shares, total} or ", ""),
    ("log(joint.base) * found", "found"),
    ("rest.top *= inside.shape[axis]", "rest.top *= 1"),
    ("if exponent == 2 and base.name is None and isinstance(base.operation, Sqrt):", "if exponent == 2:"),
    ("is_over=is_over is isinstance(operation, Multiply)", "is_over=is_over"),
    ("self.top = -self.top", "self.top = self.top"),
    (
        "return left + more if minus is None else more - minus",
        "return left - more if minus is None else more - minus",
    ),
    ("return right - minus if minus is not None else left + right", "return left + right"),
    ("slope = Sums(axis)(slope)", "slope = slope"),
    ("direct += [part.slope for part in group]", "direct = [part.slope for part in group]"),
    ("return (_total(D**2) / 2).named(", "return _total(D**2).named("),
    ("if len(words) != P.shape[1]:", "if len(words) > P.shape[1]:"),
    ("np.abs(sums - 1) > ROUNDED", "np.abs(sums - 1) > 1"),
)
