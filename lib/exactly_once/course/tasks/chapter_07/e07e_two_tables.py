"""Exercise 07e: a sink over two tables of one database, against everything that may strike it, twins included."""

import inspect
from dataclasses import dataclass
from html import escape

from .... import show as drawing
from ....errors import BadInput
from ....faults import FaultPlan
from ....node import Numbers, Program
from ....simulate import simulate
from ..reply import right, unsolved
from ..run_answer import called
from ..task import Task
from .hostile import FAULTS, TWINS, withstands

STOCK = 3
AMOUNTS = (2, 2, 1)
SHIPPED, REFUSED = "shipped", "refused"


@dataclass(frozen=True)
class Orders(Numbers):
    """The orders for tea: each has a number as its key and an amount as its value; there are three of it in stock."""

    def load_inputs(self, stores):
        """Put the orders where they are read from, and the tea into the stock."""
        orders = [[amount, number] for number, amount in enumerate(AMOUNTS, 1)]
        stores["engine"].fill("input.numbers", orders)
        if not stores["shop"].look("tea", "table"):
            stores["shop"].prepare("tea", "change", STOCK)


ORDERS = Orders(len(AMOUNTS), tuple(range(1, len(AMOUNTS) + 1)))


def answered_once(view):
    """At every moment: orders are answered in their order, each once, and the stock is what the shipped ones left.

    An order is shipped if there is enough in stock when it is its turn, and refused if there is not. The table
    "orders" holds [number, answer] of each that was answered; when all nodes have ended, that is each of them.
    """
    orders, stock = view.look("shop", "orders", "log"), view.look("shop", "tea", "table")
    wanted, left = [], STOCK
    for number, amount in enumerate(AMOUNTS[: len(orders)], 1):
        wanted.append([number, SHIPPED if amount <= left else REFUSED])
        left -= amount if amount <= left else 0
    if orders != wanted:
        return f"the table of orders holds {orders}; it should hold {wanted}"
    if stock != left:
        return f"there are {stock} in stock, and the orders that were shipped have left {left}"
    return not view.done or len(orders) == len(AMOUNTS) or f"of {len(AMOUNTS)} orders {len(orders)} were answered"


def program(sink):
    """Return the program of a sink."""
    return Program(sink, ORDERS)


def check(sink):
    """Prove the sink under each list of faults, alone and with a twin."""
    if sink is ...:
        return unsolved("your sink")
    if not callable(sink):
        raise BadInput(f"The sink is {sink!r}; it is a function of the node.")
    states, broken = withstands(program(sink), answered_once, (*FAULTS, *TWINS))
    if broken is not None:
        return broken
    return right(
        f"Each order is answered once, and the stock fits at every moment ({len(FAULTS) + len(TWINS)} lists of "
        f"faults, {states:,} states, two nodes at once among them). What was read, the stock as well, is guarded by "
        "the one version that every transaction moves on.",
        picture=show(sink),
    )


def show(sink):
    """Draw what the sink does when nothing goes wrong; without one, the specification as an invariant."""
    if sink is not ... and callable(sink):
        return drawing.spacetime(called(_calm, sink))
    html = f"<p>{escape(inspect.getdoc(answered_once))}</p>{drawing.code_html(answered_once, remark=False)}"
    return drawing.Picture(html, text=inspect.getsource(answered_once))


def _calm(sink):
    return simulate(program(sink), FaultPlan())


TASK = Task(
    title="a sink over two tables",
    answer="sink",
    tier="challenge",
    show=show,
    check=check,
    hints=(
        "What does the next life, or the twin, have to find in the database to know which order is next? And what "
        "must not have changed between your reading of the stock and your transaction?",
        "One transaction: the index, the order with its answer, and the stock if it is shipped. A cas on the index "
        "refuses it if anybody has answered an order since the index was read. So read the index first, then the "
        "stock.",
        "After a refusal, and after an OutcomeUnknown, begin again with reading the index: it may be past your "
        "order. An amount that changes is an 'add' of a negative number.",
        "while True: version, index = shop.read('index'); read the order at index or 0; stock = shop.total('tea'); "
        "shop.transact(('cas', 'index', version, index + 1), ('append', 'orders', [number, answer]), ('add', 'tea', "
        "-amount)), the last one only if it is shipped.",
    ),
)
