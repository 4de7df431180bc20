"""The picture of the timeline as SVG: time above, with producers and coordinator, and the partition below it."""

from itertools import count

from ...show.base.canvas import hatchings, svg
from .cells import partition_part
from .drawing import HEIGHT, Place, Sketch
from .lanes import time_part

_number = count()
HATCHES = {"prepare": 6, "stall": 9, "beyond": 9}  # pixels between the lines


def picture(world, forecast, words, width, name=None):
    """Return the picture `width` pixels wide as SVG. `words` are a short description for readers who cannot see it.

    `name` keeps the picture's patterns apart from those of others on the page.
    """
    sketch = Sketch(world, forecast, Place(world, width), name or f"eo-tt{next(_number)}")
    sketch.add(hatchings(sketch.name, HATCHES))
    time_part(sketch)
    partition_part(sketch)
    return svg(sketch.marks, width, HEIGHT, words, "eo-tt")
