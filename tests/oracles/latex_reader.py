"""Oracle of LaTeX and MathML: turns them into the text that `arithmetic_parser` evaluates."""

import re
from xml.etree import ElementTree

LATEX_WORDS = {
    r"\left\lfloor": "⌊",
    r"\right\rfloor": "⌋",
    r"\left": "",
    r"\right": "",
    r"\cdot": "·",
    r"\infty": "∞",
    r"\max": "max",
    r"\sin": "sin",
    r"\cos": "cos",
    r"\tanh": "tanh",
    r"\ln": "ln",
    r"\pi": "π",
    r"\Phi": "Φ",
    r"\text{argmax}": "argmax",
    r"\text{equal}": "equal",
    r"\text{step}": "step",
    r"\text{sign}": "sign",
}


REMARK = re.compile(r" \\;\\text\{\(highest: [^()]*\)\}")


def group(latex: str, start: int) -> tuple[str, int]:
    """What stands in the braces that open at `start`, and the place after them."""
    if latex[start : start + 1] != "{":
        raise ValueError(f"no group opens at {start} in {latex!r}")
    depth = 0
    for place in range(start, len(latex)):
        depth += {"{": 1, "}": -1}.get(latex[place], 0)
        if depth == 0:
            return latex[start + 1 : place], place + 1
    raise ValueError(f"a group is never closed in {latex!r}")


def from_latex(latex: str) -> str:
    """Fractions, roots and exponents get the brackets that their position stands for; remarks go."""
    latex = REMARK.sub("", latex)
    for word in (r"\frac", r"\sqrt", "^{"):
        start = latex.find(word)
        if start < 0:
            continue
        inside, end = group(latex, start + len(word.rstrip("{")))
        if word == r"\frac":
            bottom, end = group(latex, end)
            piece = f"(({from_latex(inside)}) / ({from_latex(bottom)}))"
        else:
            piece = {r"\sqrt": "√", "^{": "^"}[word] + f"({from_latex(inside)})"
        return from_latex(latex[:start] + piece + latex[end:])
    for word, sign in LATEX_WORDS.items():
        latex = latex.replace(word, sign)
    return latex


def from_mathml(node: ElementTree.Element) -> str:
    """The same for MathML; white space around a sign does not matter to the parser."""
    parts = [from_mathml(child) for child in node]
    match node.tag:
        case "mfrac":
            return f"(({parts[0]}) / ({parts[1]}))"
        case "msup":
            return f"{parts[0]}^({parts[1]})"
        case "msqrt":
            return f"√({''.join(parts)})"
        case "mo" | "mn" | "mi":
            return (node.text or "").replace("−", "-")
        case "mtext" if (node.text or "").startswith("\xa0(highest: "):
            return ""
        case "mrow" | "math":
            return "".join(parts)
    raise ValueError(f"<{node.tag}> in the numbers of an explanation")


def equal_parts(mathml: str) -> list[list[ElementTree.Element]]:
    """The nodes between the equals signs of `<math><mrow>a = b = c</mrow></math>`."""
    (row,) = ElementTree.fromstring(mathml)
    sides: list[list[ElementTree.Element]] = [[]]
    for node in row:
        if node.tag == "mo" and node.text == "=":
            sides.append([])
        else:
            sides[-1].append(node)
    return sides
