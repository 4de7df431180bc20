"""The picture of all chapters in chapter 00: which chapter builds on which, and the short path through them."""

from itertools import pairwise

from .first import Scene
from .marks import arrow, box, words

HEIGHT = 350
WIDE, HIGH = 80, 40
NAMES = (
    "start here", "clocks", "the log", "delivery", "crash points", "producer", "transactions", "elsewhere",
    "half-trans.", "the queue", "the handler", "promises", "Spark", "real servers", "the price",
)  # fmt: skip
PLACES = (  # column and row of each chapter
    (0, 1), (0, 0), (1, 0), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1),
    (6, 1), (6, 2), (5, 2), (4, 3), (4, 2), (6, 3), (5, 3),
)  # fmt: skip
SHORT_PATH = (0, 3, 4, 5, 6, 7)
ARROWS = (  # (a chapter, one that builds on it); arrows that follow from others are left out, except for the clock's
    (0, 1), (1, 2), (2, 3), (1, 5), (7, 8), (8, 9), (9, 10), (10, 11), (7, 12), (9, 13), (10, 14), (13, 14),
)  # fmt: skip


def the_chapters() -> Scene:
    """Fifteen boxes, and an arrow from a chapter to each that builds on it."""
    drawn = [_way(one, other) for one, other in ARROWS]
    drawn += [arrow(*_side(one, 1), *_side(other, -1), "blue", thick=True) for one, other in pairwise(SHORT_PATH)]
    for chapter, name in enumerate(NAMES):
        x, y = _corner(chapter)
        colour = _colour(chapter)
        drawn += [
            box(x, y, WIDE, HIGH, colour, "open") + box(x, y, WIDE, HIGH, colour),
            words(x + WIDE / 2, y + 17, f"{chapter:02d}", "mid head"),
            words(x + WIDE / 2, y + 32, name, "mid small"),
        ]
    drawn += [
        arrow(24, 205, 60, 205, "blue", thick=True),
        words(70, 209, "the short path", "", "blue"),
        words(24, 236, "00–07", "", "blue"),
        words(74, 236, "clocks, logs and transactions", "dim"),
        words(24, 258, "08–11", "", "green"),
        words(74, 258, "without locks", "dim"),
        words(24, 280, "12–14", "", "purple"),
        words(74, 280, "for real", "dim"),
    ]
    return (
        "Fifteen boxes, one for each chapter, with arrows. The short path is a row of thick arrows from 00 to 03, "
        "04, 05, 06 and 07. Above it, arrows lead from 00 to 01, from 01 to 02, from 02 to 03, and from 01 to 05. "
        "From 07 an arrow leads to 08, then on to 09 and 10. From 10 arrows lead to 11 and 14, from 09 to 13, from "
        "13 to 14, and from 07 to 12.",
        "An arrow leads from a chapter to one that builds on it. The table says on what.",
        drawn,
    )


def _colour(chapter: int) -> str:
    return "blue" if chapter < 8 else "green" if chapter < 12 else "purple"


def _corner(chapter: int) -> tuple[float, float]:
    column, row = PLACES[chapter]
    return 15 + column * 95, 30 + row * 76


def _side(chapter: int, side: int) -> tuple[float, float]:
    """Return the middle of the right side of a chapter's box (1), or of the left one (-1)."""
    x, y = _corner(chapter)
    return (x + WIDE if side > 0 else x, y + HIGH / 2)


def _way(one: int, other: int) -> str:
    """Draw the arrow between two chapters; the one from 01 to 05 goes above the boxes."""
    (x1, y1), (x2, y2) = _corner(one), _corner(other)
    if (one, other) == (1, 5):
        x = x2 + WIDE / 2
        corner = f'<path class="way grey" d="M{x1 + WIDE / 2:g} {y1:g}V16H{x:g}V{y2 - 8:g}"/>'
        return f'<g class="grey">{corner}</g>' + arrow(x, y2 - 20, x, y2)
    middle = WIDE / 2
    if x1 == x2:
        down = y2 > y1
        return arrow(x1 + middle, y1 + (HIGH if down else 0), x2 + middle, y2 + (0 if down else HIGH))
    if y1 == y2:
        right = x2 > x1
        return arrow(*_side(one, 1 if right else -1), *_side(other, -1 if right else 1))
    return arrow(x1 + (8 if x2 < x1 else WIDE - 8), y1 + HIGH, x2 + (WIDE - 8 if x2 < x1 else 8), y2)
