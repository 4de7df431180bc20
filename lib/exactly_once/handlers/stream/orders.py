"""The stream handler with its four writes in any order: 24 handlers, each as plain source that a learner can read.

The source is put together from the lines below, so that the code on the screen is the code that runs.
"""

import functools
import itertools
import linecache

from ...errors import BadInput
from ...faults import POINTS
from .naive import at_least_once

WRITES = {
    "output": ["node.output.push(window.average())"],
    "counter": ["if len(window) > node.threshold:", "    node.database.increment()"],
    "state": ["node.state.save(window)"],
    "positions": ["node.positions.save(next_positions)"],
}
ARTICLE_ORDER = ("output", "counter", "state", "positions")
ORDERS = tuple(itertools.permutations(WRITES))

_HEAD = """def handler(node):
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.crash_point("A")
"""


def handler_in_order(order):
    """Return the handler whose writes come in `order`: "output", "counter", "state" and "positions", each once.

    A stands before the first write, B to E after each of the four; a skipped increment counts as done. The article's
    own order is the article's own handler, whose B stands inside its `if`. Raises `BadInput` for anything else.
    """
    given = order.split(",") if isinstance(order, str) else order if isinstance(order, list | tuple) else [order]
    order = tuple(str(write).strip() for write in given)
    if sorted(order) != sorted(WRITES):
        raise BadInput(
            f"The order is {','.join(order)!r}; it names each of {', '.join(WRITES)} once, with commas between."
        )
    return at_least_once if order == ARTICLE_ORDER else _assembled(order)


@functools.cache
def _assembled(order):
    lines = _HEAD.splitlines()
    for write, point in zip(order, POINTS[1:], strict=True):
        lines += [" " * 8 + line for line in WRITES[write]]
        lines.append(" " * 8 + f'node.crash_point("{point}")')
    lines.append(" " * 8 + "positions = next_positions")
    source = "\n".join(lines) + "\n"
    name = "_then_".join(order)
    source = source.replace("def handler", f"def {name}")
    filename = f"<writes in the order {', '.join(order)}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    made = {}
    exec(compile(source, filename, "exec"), made)
    made[name].__module__ = __name__
    made[name].__doc__ = f"The stream handler that writes {', '.join(order)}, in this order."
    return made[name]
