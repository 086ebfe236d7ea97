"""How Sphinx makes the site of what build.py has put together."""

from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

project = html_title = "handcalc"
extensions = ["myst_nb", "sphinx_copybutton"]
html_theme = "furo"
html_static_path = ["static"]
html_favicon = "static/icon.svg"
html_css_files = ["widgets.css", "site.css"]
html_js_files = ["kept.js", "live.js", "offline.js"]
html_copy_source = html_show_sphinx = html_show_copyright = html_use_index = False
html_show_search_summary = False  # it would fetch pages, which file:// forbids
html_math_renderer = "mathml"
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "off"
nb_code_prompt_show = "Show the code"
nb_code_prompt_hide = "Hide the code"


def mathml(translator: Any, node: nodes.Node, *, display: bool) -> None:
    """A formula that browsers draw by themselves."""
    translator.body.append(str(tex2mathml(node.astext(), as_block=display)))
    raise nodes.SkipNode


def inline(translator: Any, node: nodes.Node) -> None:
    """One in a line of text."""
    mathml(translator, node, display=False)


def block(translator: Any, node: nodes.Node) -> None:
    """One that stands alone."""
    mathml(translator, node, display=True)


def level_captions(*event: Any) -> None:
    """Captions of the contents are headings, and say of which level."""
    context = event[3]
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("html-page-context", level_captions, priority=900)  # after the theme's
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
