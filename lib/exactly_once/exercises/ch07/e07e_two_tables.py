"""Exercise 07e: a sink over two tables of one database, proved under every kind of fault, twins included."""

from dataclasses import dataclass

from ...node import Numbers, Program
from ..kinds.proved import Proved
from .hostile import FAULTS, TWINS, struck

STOCK = 3
AMOUNTS = (2, 2, 1)
SHIPPED, REFUSED = "shipped", "refused"


@dataclass(frozen=True)
class Orders(Numbers):
    """The orders for tea: each has a number as its key and an amount as its value; three tins are in stock."""

    def load_inputs(self, stores):
        """Put the orders into the log, and the tea into the stock."""
        orders = [[amount, number] for number, amount in enumerate(AMOUNTS, 1)]
        stores["engine"].fill("input.numbers", orders)
        if not stores["shop"].look("tea", "table"):
            stores["shop"].prepare("tea", "change", STOCK)


ORDERS = Orders(len(AMOUNTS), tuple(range(1, len(AMOUNTS) + 1)))


def answered_once(view):
    """At every moment: orders are answered in turn, each once, and the stock is three less the shipped tins.

    An order is shipped if the stock is enough when it is the order's turn, and refused if it is not. The table
    "orders" holds [number, answer] of each answered order; when all nodes have ended, every order is answered.
    """
    orders, stock = view.look("shop", "orders", "log"), view.look("shop", "tea", "table")
    wanted, left = [], STOCK
    for number, amount in enumerate(AMOUNTS[: len(orders)], 1):
        wanted.append([number, SHIPPED if amount <= left else REFUSED])
        left -= amount if amount <= left else 0
    if orders != wanted:
        return f"the table of orders holds {orders}; it should hold {wanted}"
    if stock != left:
        return f"there are {stock} in stock, and the shipped orders leave {left}"
    return not view.done or len(orders) == len(AMOUNTS) or f"of {len(AMOUNTS)} orders {len(orders)} were answered"


def program(sink):
    """Return the program of a sink."""
    return Program(sink, ORDERS)


TASK = Proved(
    answer="sink",
    tier="challenge",
    asks="your sink",
    form="a function of the node",
    worlds=struck(program, answered_once, FAULTS | TWINS),
    pictured=True,
    praise="Each order is answered once, and the stock fits at every moment ({worlds} lists of faults, {states} "
    "states, two nodes at once among them). One version, which every transaction moves on, guards all that was read, "
    "the stock as well.",
)
