"""The picture of the timeline as SVG: time above, with producers and coordinator, and the partition below it."""

from html import escape
from itertools import count

from .cells import partition_part
from .drawing import HEIGHT, Place, Sketch
from .lanes import time_part

_number = count()


def picture(world, forecast, words, width, name=None):
    """Return the picture `width` pixels wide as SVG. `words` are a short description for readers who cannot see it.

    `name` keeps the picture's patterns apart from those of others on the page.
    """
    sketch = Sketch(world, forecast, Place(world, width), name or f"eo-tt{next(_number)}")
    time_part(sketch)
    partition_part(sketch)
    size = f'width="{width}" height="{HEIGHT}" viewBox="0 0 {width} {HEIGHT}"'
    return (
        f'<svg class="eo-tt" xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(words)}">'
        f"{patterns(sketch.name)}{''.join(sketch.parts)}</svg>"
    )


def patterns(name):
    """Return the hatchings of decided, not yet complete transactions, and of stalls."""
    lines = "".join(
        f'<pattern id="{name}-{kind}" width="{gap}" height="{gap}" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><line class="hatch-{kind}" x1="0" y1="0" x2="0" y2="{gap}"/></pattern>'
        for kind, gap in (("prepare", 6), ("stall", 9), ("beyond", 9))
    )
    return f"<defs>{lines}</defs>"
