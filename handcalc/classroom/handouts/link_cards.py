"""links.html: a card for each student with name, codes, link and QR code, to print and cut."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

from handcalc.classroom.folder.register import Register, RegisterEntry
from handcalc.classroom.handouts import qr
from handcalc.classroom.handouts.class_address import LOOPBACK, make_link
from handcalc.views import content_policy

LINKS_ONLY_HERE = (
    " This computer is on no network, so the links work only here; for phones, write them again with "
    "<code>handcalc class links CLASS --address URL</code>."
)


Titles = Mapping[tuple[str, int], str]  # of topics and levels


def write_link_cards(title: str, sheets: Iterable[RegisterEntry], titles: Titles, address: str) -> str:
    """The page as text; it needs no network, and no script."""
    students = Register(sheets).students.values()
    return _file("html").format(
        title=escape(title),
        policy=content_policy.meta(style=_file("css")),
        style=_file("css"),
        note=LINKS_ONLY_HERE if LOOPBACK in address else "",
        cards="\n".join(_card(own, titles, address) for own in students),
    )


def _card(own: Sequence[RegisterEntry], titles: Titles, address: str) -> str:
    """One student's card; the link leads to the first sheet, and from there to the others."""
    to = make_link(address, own[0].code)
    name = f"<h2>{escape(own[0].name)}</h2>" if own[0].name else '<h2 class="line">Name</h2>'
    sheets = "".join(
        f"<dt>{escape(titles[one.topic, one.level])}, level {one.level}</dt><dd>{escape(one.code)}</dd>"
        for one in own
    )
    shown = escape(to).replace("#", "<wbr>#")
    where = f'<a href="{escape(to)}">{shown}</a>'
    return (
        f"<article><div>{name}<dl>{sheets}</dl></div>{qr.draw_qr_svg(qr.make_modules(to))}{where}</article>"
    )


def _file(kind: str) -> str:
    return Path(__file__).with_suffix(f".{kind}").read_text("utf-8")
