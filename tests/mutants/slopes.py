"""Mutants of the way back: each operation's rule, rules of several together, formulas, losses."""

ROOM = "handcalc/operations/*.py handcalc/gradients/*.py handcalc/formulas/losses.py"
TESTS = ("folding", "losses", "gradients", "gradients_torch")
MUTANTS = (
    (
        "return grad_output @ right.T if operand == 0 else left.T @ grad_output",
        "return grad_output @ right.T if operand == 0 else grad_output.T @ left",
    ),
    ("return grad_output if operand == 0 else -grad_output", "return grad_output"),
    ("return grad_output * _finite(inputs[1 - operand])", "return grad_output * inputs[1 - operand]"),
    ("else -(grad_output * _finite(result) / bottom)", "else -(grad_output * result / bottom)"),
    ("else -(grad_output * _finite(result) / bottom)", "else grad_output * _finite(result) / bottom"),
    (
        "return grad_output if self.exponent == 1 else grad_output * self.exponent * less",
        "return grad_output * less",
    ),
    ("grown * Log()(self.base)", "grown"),
    ("return grad_output / (2 * result)", "return grad_output / result"),
    ("return grad_output / inputs[0]", "return grad_output / result"),
    ("return grad_output * (1 - result**2)", "return grad_output * (1 - result)"),
    ("return grad_output * result * (1 - result)", "return grad_output * result"),
    ("return grad_output * Step()(inputs[0])", "return grad_output * result"),
    ("return grad_output * Step(self.alpha)(inputs[0])", "return grad_output * Step()(inputs[0])"),
    ("np.where(values[0] > 0, 1.0, self.below or 0.0)", "np.where(values[0] >= 0, 1.0, self.below or 0.0)"),
    ("return np.asarray(np.sign(values[0]))", "return np.where(values[0] < 0, -1.0, 1.0)"),
    ("0.5 * (1 + bent) + 0.5 * a * (1 - bent * bent) * steep", "0.5 * (1 + bent)"),
    ("share_below(a) + a * np.exp(-(a * a) / 2) / math.sqrt(2 * math.pi)", "share_below(a)"),
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
