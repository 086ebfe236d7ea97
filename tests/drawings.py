"""What stands on a drawn figure, and where: its texts, their boxes, the numbers in their cells, contrast."""

from functools import cache

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.transforms import Bbox

from handcalc.views.picture import _FORMULAS

TOUCH = 0.75  # pixels of 1/144 inch: hinting moves a glyph by less


def texts_of(figure):
    return [t for part in (figure, *figure.axes) for t in part.texts if t.get_text()]


def renderer_of(figure):
    """The figure's own renderer, which reads a formula that another has read no second time."""
    renderer = figure.canvas.get_renderer()
    renderer.mathtext_parser = renderer._text2path.mathtext_parser = _FORMULAS
    return renderer


@cache
def extents(figure):
    """The boxes of all texts, in the order of texts_of."""
    renderer = renderer_of(figure)
    return np.array([t.get_window_extent(renderer).extents for t in texts_of(figure)])


def numbers_of(ax):
    """The texts in the cells, each with its cell's box in pixels."""
    columns, rows = ax.get_xlim()[1], ax.get_ylim()[0]
    for text in ax.texts:
        x, y = text.get_position()
        if 0 < x < columns and 0 < y < rows and x % 1 == 0.5 and y % 1 == 0.5:
            yield text, Bbox(ax.transData.transform([(x - 0.5, y - 0.5), (x + 0.5, y + 0.5)]))


def luminance(colour):
    rgb = np.asarray(to_rgb(colour))
    linear = np.where(rgb <= 0.03928, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return linear @ (0.2126, 0.7152, 0.0722)


def contrast(one, other):
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def overlapping(figure, touch=TOUCH):
    """Pairs of texts that meet."""
    texts, boxes = texts_of(figure), extents(figure)
    low, high = boxes[:, :2] + touch, boxes[:, 2:] - touch
    meet = (low[:, None] < high[None]).all(-1) & (low[None] < high[:, None]).all(-1)
    return [(texts[i].get_text(), texts[j].get_text()) for i, j in np.argwhere(np.triu(meet, 1))]
