"""Where one matrix is drawn on a figure: x counts columns, y counts rows, from its upper left corner."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import BboxImage
from matplotlib.transforms import Affine2D, Bbox, Transform, TransformedBbox

from handcalc.views.palette import Colours

INCH = 72.0  # in points


class Frame:
    """What is drawn of a matrix of this name and so many rows and columns, and where.

    matplotlib's own axes would do, but their ticks and spines take more time than all numbers.
    """

    def __init__(self, onto: Figure | Axes, place: Transform, label: str, shape: tuple[int, int]) -> None:
        self.onto, self.place, self.label, self.shape = onto, place, label, shape
        self.artists: list[Artist] = []

    @property
    def bbox(self) -> TransformedBbox:
        """The room of its cells on the canvas."""
        rows, columns = self.shape
        return TransformedBbox(Bbox([[0, 0], [columns, rows]]), self.place)

    def add(self, artist: Artist) -> None:
        """Draw something more; it may cross the edge of the cells."""
        if not artist.is_transform_set():
            artist.set_transform(self.place)
        artist.set_clip_on(False)
        self.onto.add_artist(artist)
        self.artists.append(artist)

    def add_image(self, colours: Colours, extent: tuple[float, float, float, float]) -> None:
        """Colours in so many lines over some room: left, right, low, top."""
        left, right, low, top = extent
        room = TransformedBbox(Bbox([[left, top], [right, low]]), self.place)
        image = BboxImage(room, interpolation="nearest", origin="upper")
        image.set_data(np.asarray(colours))
        self.add(image)


def on_page(page: Figure, x: float, y: float, cell: tuple[float, float], scale: float) -> Transform:
    """From columns and rows to dots: the corner is (x, y) points from the page's lower left."""
    wide, high = cell
    points = Affine2D().scale(wide, -high).translate(x, y).scale(scale / INCH)
    return points + page.dpi_scale_trans
