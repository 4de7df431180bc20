"""A template for a handler of your own: a function of one argument, the node. Copy it and change it.

    exactly-once crash my_handlers.py:at_least_once --at B --item 3
    exactly-once prove my_handlers.py:at_least_once --nodes 2 --items 2 --crashes 1

- The handler is called anew after each crash. It has no memory of an earlier incarnation but what it loads.
- Each call on `node` is one step, and a fault can strike before or after it. `node.output`, `node.state`,
  `node.positions` and `node.database` are the stores; the docstring of `exactly_once.node.node.Node` lists all.
- `crash` strikes at the crash points, A to E, that the handler passes; `prove` strikes at every step.
- It must depend on nothing but the node: no clock, no random number, no file. `node.now()` and `node.choose(…)`
  are for what may differ from run to run, and they are explored.
"""

import inspect

from ..handlers import at_least_once


def text() -> str:
    """Return a file to begin with: how to use it, and the course's at-least-once handler."""
    return f'"""{__doc__}"""\n\n\n{inspect.getsource(at_least_once)}'
