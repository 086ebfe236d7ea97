"""What stands on a drawn figure, and where: its texts, their boxes, the numbers in their cells, contrast."""

from functools import cache

import colour_vision
import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.image import BboxImage
from matplotlib.patches import Patch
from matplotlib.text import Text
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D, Bbox

from handcalc.views import captions
from handcalc.views.lettering import Letters
from handcalc.views.picture import _FORMULAS

TOUCH = 0.75  # pixels of 1/144 inch: hinting moves a glyph by less


def texts_of(figure):
    return [t for part in (figure, *axes_of(figure)) for t in texts_in(part) if t.get_text()]


class FrameAsAxes:
    """What is drawn of one matrix, asked for as of axes."""

    def __init__(self, frame):
        self.frame, self.transData, self.bbox = frame, frame.place, frame.bbox
        self.artists, self.texts = frame.artists, []
        self.collections = [a for a in self.artists if isinstance(a, PathCollection)]
        self.patches = [a for a in self.artists if isinstance(a, Patch)]
        self.images = [a for a in self.artists if isinstance(a, BboxImage)]

    def get_label(self):
        return self.frame.label

    def get_position(self):
        return self.bbox.transformed(self.frame.onto.transFigure.inverted())

    def get_xlim(self):
        return 0, self.frame.shape[1]

    def get_ylim(self):
        return self.frame.shape[0], 0


@cache
def axes_of(figure):
    """Everything on a figure that has a place of its own: matrices, and axes."""
    return [*figure.axes, *map(FrameAsAxes, getattr(figure, "frames", ()))]


def texts_in(part):
    """The texts of a figure or of axes; those that are set letter by letter as matplotlib would set them."""
    return [
        *part.texts,
        *(text for artist in letters_in(part) for text in set_(artist)),
    ]


def letters_in(part):
    """Those of a figure are in its frames."""
    return [a for a in part.artists if isinstance(a, Letters)] if not isinstance(part, Figure) else []


@cache
def room(text, font, rotation):
    """The box of a text's outlines, written at the origin; most texts stand on many sheets."""
    return TextPath((0, 0), text, prop=font).get_extents(Affine2D().rotate_deg(rotation))


class Lettered(Text):
    """A text whose room is that of its outlines, not of letters fitted to the dots of a screen."""

    def get_window_extent(self, renderer=None, dpi=None):
        box = room(self.get_text(), self.get_fontproperties(), self.get_rotation())
        place = Affine2D().scale(self.figure.dpi / 72).translate(*self.get_position())
        return box.transformed(place)


@cache
def set_(letters):
    """A text of matplotlib's own for each word, which begins where the word does."""
    found = []
    for word, x, y in letters._starts():
        type_ = captions.font(word.size * letters.scale, bold=word.bold)
        text = Lettered(x, y, word.text, color=word.ink, fontproperties=type_, parse_math=False)
        text.set(rotation=90 * word.reads_upwards, va="baseline", ha="left", figure=letters.figure)
        text.cell = (word.x, word.y)
        found.append(text)
    return found


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
    for text in texts_in(ax):
        x, y = getattr(text, "cell", (0, 0))
        if 0 < x < columns and 0 < y < rows and x % 1 == 0.5 and y % 1 == 0.5:
            yield text, Bbox(ax.transData.transform([(x - 0.5, y - 0.5), (x + 0.5, y + 0.5)]))


def luminance(colour):
    return colour_vision.luminance(np.asarray(to_rgb(colour)))


def contrast(one, other):
    return colour_vision.contrast(*(np.asarray(to_rgb(colour)) for colour in (one, other)))


def overlapping(figure, touch=TOUCH):
    """Pairs of texts that meet."""
    texts, boxes = texts_of(figure), extents(figure)
    low, high = boxes[:, :2] + touch, boxes[:, 2:] - touch
    meet = (low[:, None] < high[None]).all(-1) & (low[None] < high[:, None]).all(-1)
    return [(texts[i].get_text(), texts[j].get_text()) for i, j in np.argwhere(np.triu(meet, 1))]
