"""Nothing that is handed in is run: code that would leave a trace, and many files changed at random."""

import base64
import codecs
import json
import os
import pickle
import random
import subprocess
import sys

import mutated_files
import pytest
from class_files import CODE, OURS, is_sentence, sheets, written
from seeds import seeds

import handcalc as hc
from handcalc.classroom.submissions.submission import mark_submission


class Runs:
    """What would run where a pickle is read."""

    def __init__(self, command):
        self.command = command

    def __reduce__(self):
        return os.system, (self.command,)


def canaries(path):
    """Cells that would write a file if anything in them were run."""
    write, shell = f"open({str(path)!r}, 'w').close()", f"touch {path}"
    packed = base64.b64encode(pickle.dumps(Runs(shell)))
    return {
        "a call": f"Q = [{write}]",
        "an argument": f"exercise.check(Q=[{write}])",
        "__import__": f"Q = __import__('os').system({shell!r})",
        "os.system": f"import os\nQ = [[os.system({shell!r})]]",
        "eval": f"Q = eval({write!r})",
        "exec": f"exec({write!r})",
        "compile": f"exec(compile({write!r}, 'x', 'exec'))",
        "a decorator": f"@({write} or print)\ndef f(): pass",
        "a default": f"def f(x={write}): pass",
        "a class body": f"class Q:\n    {write}",
        "a metaclass": f"class Q(metaclass=lambda *_: {write}): pass",
        "an f-string": f'Q = f"{{{write}}}"',
        "a walrus": f"print(Q := {write})",
        "a comprehension": f"Q = [{write} for _ in range(3)]",
        "a lambda": f"Q = (lambda: {write})()",
        "attributes": f"{write}\nQ = ().__class__.__base__.__subclasses__()[0].__init__.__globals__",
        "__getattr__": f"class A:\n  def __getattr__(self, name): {write}\nQ = A().x",
        "__class_getitem__": f"class A:\n  def __class_getitem__(self, name): {write}\nQ = A[1]",
        "a property of the exercise": f"exercise.calculation = {write}",
        "a subscript": f"answers[{write}] = [1]",
        "a deeper subscript": f"answers = {{'Q': {{}}}}\nanswers['Q'][{write}] = 1",
        "an annotation": f"Q: {write} = [1]",
        "a star": f"Q = [*{write}]",
        "two stars": f"exercise.check(**{write})",
        "a dictionary": f"answers = {{{write}: 1, **{write}}}",
        "an assertion": f"assert {write}",
        "a with": f"with {write}: pass",
        "an except": f"try:\n    1/0\nexcept {write}: pass",
        "a match": f"match {write}:\n    case _: pass",
        "a pickle": f"import pickle\nQ = pickle.loads(__import__('base64').b64decode({packed}))",
        "numpy's pickle": f"Q = np.array(np.load(io.BytesIO({packed}), allow_pickle=True))",
        "a shell": f"!{shell}",
        "a magic": f"%system {shell}",
        "a cell of a shell": f"%%bash\n{shell}",
        "a magic in an assignment": f"Q = !{shell}",
        "time": f"%time {write}",
        "a hint": f"exercise.hint({write})",
        "an exercise": f"exercise = hc.Exercise({write})",
        "a number": f"Q = float({write})",
        "a matrix": f"Q = np.array({write})",
        "an encoding": f"# -*- coding: utf-7 -*-\nQ = [1]\n{write}",
        "a text": f'Q = """{write}"""',
        "a text with arithmetic": f"Q = ['__import__(\"os\").system({shell!r})']",
    }


MAGICS = ("a shell", "a magic", "a cell of a shell", "time")  # that IPython alone understands
KINDS = list(canaries("x"))


def run(source):
    """That the canary sings where it is let: a test that cannot fail shows nothing."""
    program = f"from unittest.mock import MagicMock\nexercise = answers = hc = np = MagicMock()\n{source}"
    subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_in_a_notebook_is_run(tmp_path, kind):
    path = tmp_path / "canary"
    source = canaries(path)[kind]
    for data in (
        written(source, "K = [1]"),
        written("K = [1]\n" + source),
        written(code=f'" + {source} + "'),
    ):
        for found in sheets(data):
            assert found.trouble or mark_submission(found, hc.Exercise(CODE)).code == CODE
    found = sheets(f'hc.Exercise("{CODE}")\n{source}'.encode(), "x.py")
    assert len(found) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.sweep
def test_the_canaries_sing_where_they_are_run(tmp_path):
    path = tmp_path / "canary"
    silent = []
    for kind, source in canaries(path).items():
        run(source)
        silent += [] if path.exists() else [kind]
        path.unlink(missing_ok=True)
    assert all(kind.startswith(("a text", "numpy", *MAGICS)) for kind in silent), silent


# What Python tells before it does it: to run code, to write a file, to begin a process, to reach out.
WATCHED = {
    *("exec", "import", "pickle.find_class", "ctypes.dlopen", "socket.connect", "socket.bind"),
    *("os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "subprocess.Popen"),
    *("os.remove", "os.rename", "os.mkdir", "shutil.rmtree"),
}
heard: list[str] = []
is_heard = [False]


def hear(event, arguments):
    """Note what is watched, and every file that is opened to be written."""
    if is_heard[0]:
        writes = event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+")
        if event in WATCHED or writes:
            heard.append(f"{event} {arguments!r}"[:200])


@pytest.fixture(scope="module")
def listening():
    """Whatever happens while a file is read; the hook stays for ever, but it hears nothing more."""
    sys.addaudithook(hear)
    return heard


def test_what_would_run_would_be_heard(listening, tmp_path):
    is_heard[0] = True
    try:
        exec("1")
        (tmp_path / "x").open("w").close()
    finally:
        is_heard[0] = False
    assert [one.split()[0] for one in listening] == ["exec", "open"]
    listening.clear()


def marks_of(data, name, exercises):
    """What becomes of a file, as marking does it; every number of a sheet is counted in some way."""
    found = sheets(data, name)
    for one in found:
        if one.trouble:
            assert is_sentence(one.trouble), one.trouble
            continue
        standing = mark_submission(one, exercises[one.code]())
        for step, counts in standing.steps.items():
            assert sum(counts.values()) == exercises[one.code]().calculation[step].values.size
        assert all(map(is_sentence, standing.problems)), standing.problems
        json.dumps(standing.to_json())
    return [one.trouble for one in found]


def fuzzed(path, seeds):
    """Read and mark files; how many there are with a trouble. What happens meanwhile is heard."""
    specs = {code: hc.Exercise(code).calculation for code in OURS}
    exercises = {code: lambda spec=spec: hc.Exercise(spec) for code, spec in specs.items()}
    files = mutated_files.Files(sorted(OURS), path)
    marks_of(files.log(random.Random(0)), "x", exercises)  # imports what it needs
    for encoding in ("utf-8-sig", "utf-16", "cp1252", "cp437"):
        codecs.lookup(encoding)
    troubles = 0
    for seed in seeds:
        name, data = files.mutated(seed)
        is_heard[0] = True
        try:
            found = marks_of(data, name, exercises)
        except BaseException as error:
            raise AssertionError(f"seed {seed}") from error
        finally:
            is_heard[0] = False
        assert found, seed
        troubles += any(found)
    return troubles


@seeds(300, 10_000, by=1000, marks=[pytest.mark.slow])
def test_files_changed_at_random_are_read_and_nothing_is_run(tmp_path, listening, seeds):
    troubles = fuzzed(tmp_path / "canary", seeds)
    assert 0.1 < troubles / len(seeds) < 0.9  # some are read, and some are not
    assert listening == []
    assert list(tmp_path.iterdir()) == []
