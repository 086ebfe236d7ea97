"""An atlas: a calculation of millions of numbers as a map, of which one block at a time is opened.

`outline.to_spec` writes the map and all names; `sheets.sheet` the sheet of one block, when somebody
opens it; `widget.Atlas` sends both to a notebook, and `page.save_html` puts as many as fit into a file.
"""
