"""Templates for code of your own, which `--template` prints: a handler, and a pure function."""

import inspect

from ..handlers import at_least_once
from ..node.program import runs_as
from ..node.source import Numbers

HANDLER = """\
A template for a handler of your own: a function of one argument, the node. Copy it and change it.

    exactly-once prove my_handlers.py:charge_orders
    exactly-once crash my_handlers.py:charge_orders --at B
    exactly-once cost my_handlers.py:charge_orders --latency 5ms --rate 100
    exactly-once prove my_handlers.py:at_least_once --nodes 2 --items 2 --crashes 1
    exactly-once crash my_handlers.py:at_least_once --at B --item 3

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
"""
FUNCTION = """\
A template for a handler of your own: a pure function (state, inputs) → (state, outputs). Copy it and change it.

    exactly-once report my_functions.py:join --first '{"left": [], "right": []}' --inputs left,right --nodes 2

- The state is what the function remembers: numbers, text, None, lists, dictionaries with text as keys. `--first` is
  the state before any input.
- The inputs are a list: the next value of each queue of `--inputs`, or None while one has none; `--values` are the
  values to explore it with, such as '[["a", "b"], [1]]'. Without `--inputs` they are the readings of an hour, with
  `hour`, `stream` and `value`.
- The outputs are a list: a value for each queue of `--outputs` (default: `output`), or None for nothing. A shorter
  list leaves out the last ones, and [] writes nothing.
- It must depend on nothing but its arguments: no clock, no random number, no file, no order of a set. An effect on
  another system is a message to a queue, whose reader applies it with its own position in one transaction.
- `--nodes` are the numbers of twins that run it at once (default: 2,3); `--items` and `--seconds` bound what is
  explored.
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


def join(state, inputs):
    """Pair the values of two queues in the order of arrival. One queue may be empty for a while."""
    left, right = inputs
    if left is not None:
        state["left"].append(left)
    if right is not None:
        state["right"].append(right)
    if not (state["left"] and state["right"]):
        return state, []
    return state, [[state["left"].pop(0), state["right"].pop(0)]]


def handler_template() -> str:
    """Return a file to begin with: how to use it, the orders' handler, and the course's at-least-once handler."""
    source = f"ORDERS = Numbers(count={ORDERS.count}, keys={ORDERS.keys}, stream={ORDERS.stream!r})".replace("'", '"')
    begin = f'"""{HANDLER}"""\n\nfrom exactly_once import Numbers, runs_as\n\n{source}'
    return "\n\n\n".join([begin, inspect.getsource(charge_orders).rstrip(), inspect.getsource(at_least_once)])


def function_template() -> str:
    """Return a file to begin with: how to use it, and a function that pairs the values of two queues."""
    return f'"""{FUNCTION}"""\n\n\n{inspect.getsource(join)}'
