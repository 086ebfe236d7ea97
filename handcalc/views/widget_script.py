"""The script and the style of a widget, deflated: one copy a notebook, which a page inflates once."""

from __future__ import annotations

import json
import sys
import zlib
from base64 import b64encode
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple

import anywidget
import traitlets
from ipywidgets import Widget, widget_serialization

from handcalc.views import assets

DEFLATE_LEVEL = 9  # the most
LOADER = """const scripts = (globalThis.handcalcScripts ??= new Map());
const styles = (globalThis.handcalcStyles ??= new Map());
async function packed(model, host) {
  const id = model.get("_script")?.slice("IPY_MODEL_".length);
  if (!id) return model.get("_packed");
  const shared = host?.getModel?.(`anywidget:${id}`) ?? model.widget_manager.get_model(id);
  return (await shared).get("packed");
}
async function inflate(written) {
  const bytes = Uint8Array.from(atob(written), (letter) => letter.charCodeAt(0));
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const [script, style, styled] = JSON.parse(await new Response(inflated).text());
  if (!styles.has(styled)) styles.set(styled, new CSSStyleSheet());
  styles.get(styled).replaceSync(style);
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const { default: widget } = await import(url);
  URL.revokeObjectURL(url);
  return { widget, style: styles.get(styled) };
}
function wear(style, el, isNew = true) {
  const around = el.getRootNode();
  const root = around instanceof ShadowRoot ? around : document; // as a rule, what is on no page yet
  if (!root.adoptedStyleSheets.includes(style)) root.adoptedStyleSheets.push(style);
  if (!isNew || el.isConnected) return;
  new ResizeObserver((_, seen) => (seen.disconnect(), wear(style, el, false))).observe(el);
}
export default {
  async render(given) {
    const make = () => packed(given.model, given.host).then(inflate);
    if (!scripts.has(NAME)) scripts.set(NAME, make());
    const { widget, style } = await scripts.get(NAME).catch(() => (scripts.delete(NAME), make()));
    wear(style, given.el);
    return widget.render(given);
  },
};
"""


class Packed(Widget):  # type: ignore[misc]
    """What all widgets of a kind in a notebook share; nothing is shown of it."""

    packed = traitlets.Unicode().tag(sync=True)


class Kind(NamedTuple):
    """A script by name. All have one style: a second sheet would take back what the first one says."""

    script: str

    @property
    def loader(self) -> str:
        """The module that anywidget loads: a few lines, which find the rest."""
        return LOADER.replace("NAME", json.dumps(f"{self.script} {_digest(_packed(self))}"))

    def shipped(self) -> dict[str, Any]:
        """What a new widget hands the page: in a kernel the name of what all share, elsewhere all of it."""
        if not _is_in_kernel():
            return {"_packed": _packed(self)}
        if self not in _SHARED or _SHARED[self].comm is None:  # somebody has closed all widgets
            _SHARED[self] = Packed(packed=_packed(self))
        return {"_script": _SHARED[self]}


_SHARED: dict[Kind, Packed] = {}


class PageWidget(anywidget.AnyWidget):
    """A widget whose script a notebook has once."""

    _kind: Kind

    _script = traitlets.Instance(Packed, allow_none=True).tag(sync=True, **widget_serialization)
    _packed = traitlets.Unicode().tag(sync=True)

    def __init_subclass__(cls, kind: Kind | None = None, **options: Any) -> None:
        if kind:
            cls._kind, cls._esm = kind, kind.loader
        super().__init_subclass__(**options)

    def __init__(self, **state: Any) -> None:
        super().__init__(**self._kind.shipped(), **state)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """The widget, with text and HTML beside it for readers without a kernel."""
        return assets.with_fallback(super()._repr_mimebundle_(**options), self.fallback())

    def fallback(self) -> dict[str, str]:
        """What those readers have, by MIME type."""
        raise NotImplementedError


@cache
def _packed(kind: Kind) -> str:
    style = assets.shut_in(assets.style())
    whole = json.dumps([assets.script(kind.script), style, _digest(style)], ensure_ascii=False)
    return b64encode(zlib.compress(whole.encode(), DEFLATE_LEVEL)).decode()


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def _is_in_kernel() -> bool:
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")
