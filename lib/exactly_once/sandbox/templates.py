"""A template for a handler of your own, which `--template` prints."""

import inspect
import sys

from ..handlers import at_least_once
from ..lockfree.general import general
from ..lockfree.queue import Given
from ..node.program import runs_as
from ..node.source import Numbers

HANDLER = """\
A template for a handler of your own: a function of one argument, the node. Copy it and change it.

    exactly-once prove my_handlers.py:charge_orders
    exactly-once crash my_handlers.py:charge_orders --at B
    exactly-once cost my_handlers.py:charge_orders --latency 5ms --rate 100
    exactly-once prove my_handlers.py:at_least_once --nodes 2 --items 2 --crashes 1
    exactly-once crash my_handlers.py:at_least_once --at B --item 3
    exactly-once prove my_handlers.py:joined --nodes 2

- The handler is called anew after each crash. It has no memory of an earlier incarnation but what it loads.
- Each call on `node` is one step, and a fault can strike before or after it. `node.store(name)` is a system of its
  own, such as a database or a payment service. `node.output`, `node.state`, `node.positions` and `node.database` are
  stores, too; the docstring of `exactly_once.node.node.Node` lists all.
- `crash` strikes at the crash points, A to E, that the handler passes; `prove` strikes at every step.
- It must depend on nothing but the node: no clock, no random number, no file. `node.now()` and `node.choose(…)`
  are for what may differ from run to run, and they are explored.
- What is right is what one node leaves without a crash. What differs by its nature, as a lease, a generation or an
  audit log does, is named, and not compared: `runs_as(own=(("shop", "lease"),))`, or `--own shop:lease`.
- Its inputs are hours of readings, `--items` of them, unless `runs_as` names another source: `charge_orders` reads
  two records with an offset, a key (here the amount) and a value (here the order's number).
- A pure function (state, inputs) → (state, outputs), such as `join`, is made a handler by `general`, whose docstring
  says more: a lock-free machine keeps state, positions and outputs, on any number of nodes. Its inputs are a list of
  the next value of each queue of `Given`, or None while one has none; its outputs are a list of values, or [].
"""

ORDERS = Numbers(count=2, keys=("30 EUR", "45 EUR"), stream="orders")


@runs_as(source=ORDERS)
def charge_orders(node):
    """Charge the card for each order, add a row to the shop's table, and commit the offset."""
    payments, shop = node.store("payments"), node.store("shop")
    positions = node.positions.load()
    while node.running():
        orders, next_positions = node.read(positions)
        for _, amount, number in orders:
            node.crash_point("A")
            payments.append("charges", [number, amount])
            node.crash_point("B")
            shop.append("paid orders", number)
            node.crash_point("C")
        node.positions.save(next_positions)
        node.crash_point("E")
        positions = next_positions


QUEUES = Given(("orders", "prices"), (("order 1", "order 2", "order 3"), (10, 20)))


def join(price, inputs):
    """Give each order the latest price."""
    order, newest = inputs
    price = price if newest is None else newest
    return price, [] if order is None else [[order, price]]


joined = general(join, None, QUEUES, name="joined", points=True)


def handler_template() -> str:
    """Return a file to begin with: how to use it, the handlers above, and the course's at-least-once handler."""
    here = inspect.getsource(sys.modules[__name__])
    mine = here[here.index("ORDERS = ") : here.index("def handler_template")]
    imports = "from exactly_once import Numbers, runs_as\nfrom exactly_once.lockfree import Given, general"
    return f'"""{HANDLER}"""\n\n{imports}\n\n{mine}{inspect.getsource(at_least_once)}'
