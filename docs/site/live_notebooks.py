"""Notebooks run as they are, their widgets kept as data: what a page without a kernel draws them from."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

import nbformat
import practice
import stored_blocks
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from handcalc.practice.exercise.problem_series import OWN

STATE, VIEW = "application/vnd.jupyter.widget-state+json", "application/vnd.jupyter.widget-view+json"
PRACTICE = "practice_widget"
KINDS = ("explorer_widget", "guess_widget", "sentence_widget", PRACTICE)
MODEL = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")  # as ipywidgets names them
STORED = "hc-guess-static"  # a question for readers without a kernel, before its widget
MARKED = (
    '<p class="hc-elsewhere">{} Python marks it: <a href="docs/install.html">install handcalc</a> '
    "and run this lesson.</p>"
)
LIVE = """<link rel="preload" as="script" href="_static/{kind}.js">
<div class="hc-live" data-model="{model}"{about}><p>{waiting}</p></div>
<script type="application/json" class="hc-states">{states}</script>"""
NEEDLESS = ("layout", "tabbable", "tooltip")


def run(path: Path) -> nbformat.NotebookNode:
    """A notebook with its widgets' state; as it is stored where it needs what is not installed."""
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(stored_blocks.cell(path.parent)))
    folder = {"metadata": {"path": path.parent}}
    try:
        NotebookClient(notebook, timeout=120, store_widget_state=True, resources=folder).execute()
    except CellExecutionError as error:
        print(f"{path.name} is shown as it is stored: {error.ename}: {error.evalue}")
        return nbformat.read(path, as_version=4)
    del notebook.cells[-1]
    states = notebook.metadata["widgets"][STATE]["state"]
    for model, entry in states.items():
        if (blocks := path.with_name(f"{model}.json")).is_file():
            entry["state"]["blocks"] = json.loads(blocks.read_text("utf-8"))
    names = {model: f"{path.stem}_{k}" for k, model in enumerate(states)}  # the same from run to run
    named = MODEL.sub(lambda found: names.get(found[0], found[0]), nbformat.writes(notebook))
    return nbformat.reads(named, as_version=4)


def make_live(notebook: nbformat.NotebookNode, files: Path) -> None:
    """Put in place of each widget what `live.js` draws it from, and fold the code.

    Blocks that are only loaded when somebody opens them become `files`.
    """
    kept = notebook.metadata.pop("widgets", {}).get(STATE, {}).get("state", {})
    states = {model: entry["state"] for model, entry in kept.items()}
    for model, state in states.items():
        for k, (path, block) in enumerate(state.get("blocks", {}).items()):
            version = hashlib.sha256(as_json(block).encode()).hexdigest()[
                :8
            ]  # a page that is older finds its own
            state["blocks"][path] = write_file(files, f"{model}-{k}-{version}", block)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.metadata["tags"] = ["hide-input"]
            cell.outputs = list(_outputs(cell.outputs, states))


def _outputs(outputs: list[Any], states: Mapping[str, Any]) -> Iterator[Any]:
    """What is stored for readers without a kernel goes where the widget itself is live."""
    shown = [_live(output.get("data", {}), states) for output in outputs]
    for output, text, following in zip(outputs, shown, [*shown[1:], None], strict=True):
        if text:
            yield nbformat.v4.new_output("display_data", {"text/html": text})
        elif not (following and STORED in output.get("data", {}).get("text/html", "")):
            output.get("data", {}).pop(VIEW, None)
            yield output


def _live(data: Mapping[str, Any], states: Mapping[str, Any]) -> str | None:
    """A widget, and the states of all that it shows; None for what is no widget of ours."""
    model = data.get(VIEW, {}).get("model_id")
    state = states.get(model, {})
    kind = kind_of(state)
    if kind is None:
        return None
    if kind == PRACTICE and state["code"].startswith(OWN):
        return MARKED.format(data["text/plain"].partition(" Run ")[0])
    if kind == PRACTICE:
        state = practice.state_of(state["code"], state["plan"]["of"])
        states = as_json({model: state})
        about = f' data-codes="{" ".join(state["codes"])}"'
        return LIVE.format(kind=kind, model=model, about=about, waiting=practice.WAITING, states=states)
    models = [model, *re.findall(r"IPY_MODEL_(\w+)", str(state.get("child")))]
    found = {name: {"kind": kind_of(states[name]), "state": shown(states[name])} for name in models}
    waiting = escape(re.sub("<[^>]*>", "", state.get("question", "")))
    about = {"guess_widget": f' data-question="{state.get("name")}"', "explorer_widget": " data-opens"}
    written = {"about": about.get(kind, ""), "waiting": waiting, "states": as_json(found)}
    return LIVE.format(kind=kind, model=model, **written)


def kind_of(state: Mapping[str, Any]) -> str | None:
    """Which script draws a widget."""
    return next((kind for kind in KINDS if f'"{kind} ' in state.get("_esm", "")), None)


def shown(state: Mapping[str, Any]) -> dict[str, Any]:
    """A state without its script, its style and what only a kernel or JupyterLab needs.

    Of its variants, which are much alike, each after the first is what it changes in the one before.
    """
    kept = {name: value for name, value in state.items() if name[0] != "_" and name not in NEEDLESS}
    if variants := kept.get("variants"):
        kept["variants"] = [variants[0], *itertools.starmap(change, itertools.pairwise(variants))]
    return kept


def change(base: Any, own: Any) -> dict[str, Any]:
    """What leads from a value to another, as `live.js` goes there: it "is" that, or something "in" it is."""
    if isinstance(base, dict) and isinstance(own, dict) and base.keys() & own.keys():
        made = {
            key: change(base.get(key), own[key]) for key in own if key not in base or own[key] != base[key]
        }
        return {"in": made, "out": [key for key in base if key not in own]}
    if isinstance(base, list) and isinstance(own, list) and len(base) == len(own):
        pairs = enumerate(zip(base, own, strict=True))
        return {"in": {k: change(before, after) for k, (before, after) in pairs if before != after}}
    return {"is": own}


def write_file(files: Path, name: str, value: object) -> str:
    """Write a value as a script that hands it over, and return the script's name as `live.js` loads it."""
    (files / f"{name}.js").write_text(f'handcalc.arrived["{name}"] = {as_json(value)};\n', "utf-8")
    return name


def as_json(value: object) -> str:
    """Text that may stand in a script element."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
