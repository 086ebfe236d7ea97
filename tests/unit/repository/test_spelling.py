"""Names and texts are spelled as in Britain, as `practise` and `not-normalised` are."""

import ast
import io
import json
import re
import tokenize
from pathlib import Path

import pytest

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
