"""What a learner has chosen in the crash console: plain data, checked, and turned into a fault plan."""

from dataclasses import dataclass, replace

from ...errors import BadInput, number_in, one_of, whole
from ...faults import KILLS, POINTS, FaultPlan
from ...handlers import ARTICLE_ORDER, ORDERS, STRATEGIES, handler_for
from ..base.model import typed_number

ORDER = "order"
OWN = "own"
NO_POINT = "none"
ATTEMPTS = {1: "first attempt", 2: "first two", 3: "first three"}


@dataclass(frozen=True)
class Choices:
    """One setting of the console's controls.

    `strategy` is a name of `STRATEGIES`, "order" (then `order` counts) or "own" (the learner's handler); `point` is
    A–E or "none"; `item` an hour from 1; `kill` "worker" or "executor"; `attempts` how many lives die there, 1 to 3.
    """

    strategy: str = "at_least_once"
    order: tuple = ARTICLE_ORDER
    point: str = "B"
    item: int = 3
    kill: str = "worker"
    attempts: int = 1

    @property
    def row(self):
        """The row of the matrix that these choices belong to."""
        return f"order:{','.join(self.order)}" if self.strategy == ORDER else self.strategy

    @property
    def lives(self):
        """The lives that are struck, as `Fault` takes them: None for the first that gets there."""
        return None if self.attempts == 1 else tuple(range(1, self.attempts + 1))

    def plan(self, point=None):
        """Return the fault plan of these choices, or of another point with the rest as chosen."""
        point = point or self.point
        if point == NO_POINT:
            return FaultPlan()
        return FaultPlan.crash(point, self.item, self.kill, self.lives)

    def cell(self, point=None):
        """Return what identifies a cell's result: the row, the point, and all that the result depends on."""
        return (self.row, point or self.point, self.item, self.kill, self.attempts)

    def handler(self, own=None):
        """Return the handler that is chosen. `own` is the learner's, if there is one."""
        if self.strategy == OWN:
            return own
        if self.strategy == ORDER:
            return handler_for(order=self.order)
        return handler_for(self.strategy)

    def choose(self, name, value, items, own=None):
        """Return the choices with one of them changed. Raises `BadInput` naming a value that makes no sense.

        `items` is how many hours the job has (None: as many as there are); `own` whether there is a learner's
        handler.
        """
        return replace(self, **{name: _CHECKS[name](value, items, own)})


def row_title(row, own=None):
    """Return what a row of the matrix is called."""
    if row == OWN:
        return f"{getattr(own, '__name__', 'my handler')} (mine)"
    if row.startswith("order:"):
        return " → ".join(row.removeprefix("order:").split(","))
    return row.replace("_", " ")


def row_choice(row):
    """Return {"strategy": …} and, for an order, {"order": …} of a row of the matrix."""
    if row.startswith("order:"):
        return {"strategy": ORDER, "order": row.removeprefix("order:")}
    return {"strategy": row}


def _strategy(value, items, own):
    return one_of("the strategy", value, [*STRATEGIES, ORDER, *([OWN] if own else [])])


def _order(value, items, own):
    order = tuple(value.split(",")) if isinstance(value, str) else tuple(value)
    if order not in ORDERS:
        raise BadInput(
            f"The order is {','.join(map(str, order))!r}; it names each of {', '.join(ARTICLE_ORDER)} once."
        )
    return order


def _point(value, items, own):
    return one_of("the crash point", value, [*POINTS, NO_POINT])


def _item(value, items, own):
    return typed_number("item", "The hour of the crash", value, most=items)


def _kill(value, items, own):
    return one_of("what dies", value, KILLS)


def _attempts(value, items, own):
    number = number_in(value)
    return whole("the number of attempts that die", value if number is None else number, least=1, most=max(ATTEMPTS))


_CHECKS = {
    "strategy": _strategy,
    "order": _order,
    "point": _point,
    "item": _item,
    "kill": _kill,
    "attempts": _attempts,
}
