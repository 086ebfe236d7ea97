"""What a stored output says to whoever opens it in a notebook: run this cell."""

# On a page that was made of a notebook there is nothing to run.
STYLE = "<style>body:is(.jp-Notebook,.nbviewer) .hc-run{display:none}</style>"


def run_note(words: str) -> str:
    """Words of a notebook alone, as HTML: a page that was made of one hides them."""
    return f'{STYLE}<span class="hc-run">{words}</span>'
