"""What people wrote by hand, and what notebooks keep of their runs, is as true as what the product prints."""

import ast
import io
import json
import re
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path

import printed_lines
import pytest
from arithmetic_parser import Estimate, evaluate

HERE = Path(__file__).parents[3]
NUMBER = r"\d+(?:\.\d+)?"
# Arithmetic, = and a number that nothing follows: `7.39 / 10.48 = 0.71` in a sentence, a table or an output.
BEGINS = rf"[-(|√⌊]*(?:{NUMBER}|e\^|e(?= )|ln\(|tanh\(|max\()"
GOES_ON = r"[-\de.·⁻⁰¹²³⁴⁵⁶⁷⁸⁹+/()√^⌊⌋|, ]*?"
CHAIN = re.compile(
    rf"(?<![\w.\]·^°])(?P<arithmetic>{BEGINS}{GOES_ON}) = (?P<result>-?{NUMBER})"
    r"(?![\d.]*\d|[·\w/(]| [·/+*^-] )"
)
ALONE = re.compile(rf"-?{NUMBER}")
SIGNS = {" to the power of ": "^", "÷": "/", "−": "-", " · ": "·", "{": "", "}": ""}
PAPERS = [
    "README.md",
    "docs/*.md",
    "handcalc/course/*/questions.toml",
    "notebooks/*.ipynb",
    "templates/*/*.ipynb",
]


def texts() -> Iterator[tuple[str, str]]:
    """Every text that a learner or a teacher may read, with the name of its file."""
    for pattern in PAPERS:
        for path in sorted(HERE.glob(pattern)):
            for text in _texts_in(path):
                yield path.name, text


def _texts_in(path: Path) -> Iterator[str]:
    text = path.read_text("utf-8")
    if path.suffix == ".toml":
        yield from _strings(tomllib.loads(text))
    elif path.suffix == ".ipynb":
        for cell in json.loads(text)["cells"]:
            yield "".join(cell["source"])
            for output in cell.get("outputs", []):
                yield from map("".join, [output.get("text", []), *_written(output)])
    else:
        yield text


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)


def _written(output: dict) -> Iterator[list[str]]:
    for kind in ("text/plain", "text/html", "text/markdown"):
        if kind in output.get("data", {}):
            yield output["data"][kind]


def plain(text: str) -> str:
    """Powers, written {e^-1.25} or with <sup>, quotients and minus signs as the parser knows them."""
    text = re.sub(r"\{([^{}^]*)\^([^{}]*)\}", r"\1^(\2)", text)
    text = re.sub(r"<sup>(.*?)</sup>", r"^(\1)", text)
    for sign, code in SIGNS.items():
        text = text.replace(sign, code)
    return text


def chains(text: str) -> Iterator[tuple[str, str, Estimate]]:
    """What a text says that some arithmetic is: the arithmetic, the number, and what a calculator gets."""
    for found in CHAIN.finditer(plain(text)):
        arithmetic, result = found["arithmetic"].strip(), found["result"]
        if not ALONE.fullmatch(arithmetic):
            try:
                got = evaluate(arithmetic)
            except ValueError:  # it began earlier, with a name: x·2 = 4
                continue
            yield arithmetic, result, got


def is_true(result: str, got: Estimate) -> bool:
    """To its last digit; of what is told as a whole number, to the two places that are shown."""
    return printed_lines.shows(got, result, 2)


@pytest.mark.slow
def test_arithmetic_in_texts_and_in_what_notebooks_keep_is_true():
    count = 0
    for name, text in texts():
        for arithmetic, result, got in chains(text):
            assert is_true(result, got), f"{name}: {arithmetic} = {result}, but it is {got.value}"
            count += 1
    assert count > 1000


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("so 7.39 ÷ 10.48 = 0.72; the other", False),
        ("**10·0.03 + 10·0.26 = 2.83**", False),
        ("Z[2,1] = 10·0.0256 + 10·0.2577 = 2.83", True),
        ("e<sup>2.83</sup> = 16.92", False),
        ("σ is 1 ÷ (1 + {e^-1.25}) = 0.78.", True),
        ("0.45 · 0.45 = 0.21", False),
        ("2 + 2 = 5", False),
    ],
)
def test_what_is_not_true_in_a_text_is_seen(text, says):
    assert [is_true(result, got) for _, result, got in chains(text)] == [says]


# Names and texts are spelled as in Britain, as `practise` and `not-normalised` are.
ROOT = Path(__file__).parents[3]
AMERICAN = re.compile(
    r"(normal|recogn|organ|visual|summar|general|real|emphas|special|minim|maxim|categor|initial|standard)"
    r"iz(e|ed|es|er|ing|ation)|(col|behavi|neighb|fav|hon)or(s|ed|ing|ite)?|center(s|ed|ing)?|gray|catalog"
    r"|(labe|trave|mode|cance)l(ed|ing)|analyz(e|ed|es|er|ing)|judgment|defense"
)
OTHERS = {"initialize", "Visualization", "behavior"}  # of Tornado, in a title, of the DOM
STYLE = re.compile(  # code, tags, addresses, and what a style sheet says
    r"`[^`]*`|=\"[^\"]*\"|<[^>]*>|https?:\S+"
    r"|[\w-]+: ?[^;\s]*[;}]|[\w-]+:(?!\s)|[\w-]*-color[\w-]*|color-\w+|&[a-z]+;"
)
NAMED_IN_SCRIPTS = re.compile(
    r"(?:function|class|const|let) (\w+)|^ +(?:async |static |get )*(\w+)\([^()]*\) \{$|(?<![:\"'`])//(.*)",
    re.M,
)


def american(text):
    """The words of a text or a name, `is_grey` and `isGrey` alike, that are spelled as in America."""
    ours = re.sub(STYLE, " ", text)
    words = re.findall(r"[A-Z]?[a-z]+", ours)
    return {word for word in words if AMERICAN.fullmatch(word.lower())} - OTHERS


def written_in_python(text):
    """The names that a module gives, its comments, docstrings and sentences."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.Constant(value=str(sentence)) if " " in sentence:
                yield sentence
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def written_in_script(text):
    for found in NAMED_IN_SCRIPTS.finditer(text):
        yield from filter(None, found.groups())


def written_in_notebook(text):
    return ("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown")


WRITTEN = {
    "handcalc/**/*.py": written_in_python,
    "docs/*.py": written_in_python,
    "handcalc/**/*.js": written_in_script,
    "handcalc/**/*.toml": lambda text: [text],
    "*.md": lambda text: [text],
    "docs/**/*.md": lambda text: [text],
    "notebooks/*.ipynb": written_in_notebook,
    "templates/**/*.ipynb": written_in_notebook,
}


@pytest.mark.slow
@pytest.mark.parametrize("files", WRITTEN)
def test_no_word_is_spelled_as_in_america(files):
    paths = [path for path in ROOT.glob(files) if "bundles" not in path.parts]
    assert paths
    found = {
        path.name: words
        for path in paths
        for text in WRITTEN[files](path.read_text("utf-8"))
        if (words := american(text))
    }
    assert found == {}
