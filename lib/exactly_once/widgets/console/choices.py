"""The learner's choices in the crash console: plain data, checked, and turned into a fault plan."""

from dataclasses import dataclass, replace
from typing import Any

from ...errors import BadInput, number_in, one_of, whole
from ...faults import KILLS, POINTS, FaultPlan
from ...handlers import ARTICLE_ORDER, ORDERS, STRATEGIES, handler_in_order
from ...node.program import deployment_of
from ..base.model import typed_number

ORDER = "order"
OWN = "own"
NO_POINT = "none"
ATTEMPTS = {1: "first attempt", 2: "first two", 3: "first three"}
DEPLOYED = {name: found for name, handler in STRATEGIES.items() if (found := deployment_of(handler))}
# strategies with letters in the second node, too
WITH_SINK = [name for name, found in DEPLOYED.items() if found.queue or found.feeds]
ROWS = [*STRATEGIES, *(f"{name}:2" for name in WITH_SINK)]


@dataclass(frozen=True)
class Choices:
    """One setting of the console's controls.

    `strategy` is a name of `STRATEGIES`, "order" (then `order` counts) or "own" (the learner's handler); `point` is
    A–E or "none"; `item` an hour from 1; `kill` "worker" or "executor"; `attempts` the number of incarnations that
    die there, 1 to 3; `node` the node that dies, 2 for the sink of a strategy that has one.
    """

    strategy: str = "at_least_once"
    order: tuple = ARTICLE_ORDER
    point: str = "B"
    item: int = 3
    kill: str = "worker"
    attempts: int = 1
    node: int = 1

    @property
    def row(self) -> Any:
        """The row of the matrix that these choices belong to."""
        if self.strategy == ORDER:
            return f"order:{','.join(self.order)}"
        return self.strategy if self.node == 1 else f"{self.strategy}:{self.node}"

    @property
    def struck(self) -> Any:
        """The node that faults strike, from 1 on, or None where only one node has places for faults."""
        return self.node if self.strategy in WITH_SINK else None

    def repeated(self, plan: FaultPlan) -> FaultPlan:
        """Return a plan of one fault for as many incarnations as are chosen.

        Where there are several nodes, the numbers of one node's incarnations are unknown beforehand: the fault is
        repeated.
        """
        (fault,) = plan.faults
        if self.attempts == 1:
            return plan
        deployed = DEPLOYED.get(self.strategy)
        if deployed and deployed.beside:
            return FaultPlan((fault,) * self.attempts)
        return FaultPlan((replace(fault, lives=tuple(range(1, self.attempts + 1))),))

    def plan(self, point=None):
        """Return the fault plan of these choices; `point` replaces the chosen point."""
        point = point or self.point
        if point == NO_POINT:
            return FaultPlan()
        return self.repeated(FaultPlan.crash(point, self.item, self.kill, node=self.struck))

    def cell(self, point: str | None = None) -> tuple[Any, ...]:
        """Return the key of a cell's result: the row, the point, and the other choices on which it depends."""
        return (self.row, point or self.point, self.item, self.kill, self.attempts)

    def handler(self, own=None):
        """Return the chosen handler. `own` is the learner's, if there is one."""
        if self.strategy == OWN:
            return own
        if self.strategy == ORDER:
            return handler_in_order(self.order)
        return STRATEGIES[self.strategy]

    def listed(self, own=None):
        """Return the listed function: the handler, or the function of the second node."""
        return self.handler(own) if self.node == 1 else DEPLOYED[self.strategy].beside

    def choose(self, name, value, items, own=None):
        """Return the choices with one of them changed. Raises `BadInput` naming a value that makes no sense.

        `items` is the number of hours of the job (None: no limit); `own` is the learner's handler, if there is one.
        """
        if name == "node":
            return replace(self, node=whole("the node", number_in(value), least=1, most=1 + bool(self.struck)))
        changed = {name: _CHECKS[name](value, items, own)}
        return replace(self, **changed, **({"node": 1} if name == "strategy" else {}))

    def in_row(self, row: str) -> "Choices":
        """Return the choices for another row of the matrix, the rest as it is."""
        choices = self
        for name, value in row_choice(row).items():
            choices = choices.choose(name, value, None, own=True)
        return choices


def row_title(row: str, own: Any = None) -> str:
    """Return the title of a row of the matrix."""
    if row == OWN:
        return f"{getattr(own, '__name__', 'my handler')} (mine)"
    if row.startswith("order:"):
        return " → ".join(row.removeprefix("order:").split(","))
    strategy, _, node = row.partition(":")
    return strategy.replace("_", " ") + (", second node" if node else "")


def row_choice(row: str) -> dict[str, str]:
    """Return {"strategy": …} and, for an order, {"order": …}, for a second node {"node": …} of a matrix row."""
    if row.startswith("order:"):
        return {"strategy": ORDER, "order": row.removeprefix("order:")}
    strategy, _, node = row.partition(":")
    return {"strategy": strategy, **({"node": node} if node else {})}


def _order(value: Any, *_: int | None) -> tuple[str, str, str, str]:
    order = tuple(value.split(",")) if isinstance(value, str) else tuple(value)
    if order not in ORDERS:
        given, names = ",".join(map(str, order)), ", ".join(ARTICLE_ORDER)
        raise BadInput(f"The order is {given!r}; it names each of {names} once.")
    return order


def _attempts(value: Any, *_: int | None) -> int:
    number = number_in(value)
    return whole("the number of attempts that die", value if number is None else number, least=1, most=max(ATTEMPTS))


_CHECKS = {  # functions of a value, the number of hours, and the learner's handler
    "strategy": lambda value, _, own: one_of("the strategy", value, [*STRATEGIES, ORDER, *([OWN] if own else [])]),
    "order": _order,
    "point": lambda value, *_: one_of("the crash point", value, [*POINTS, NO_POINT]),
    "item": lambda value, items, _: typed_number("item", "The hour of the crash", value, most=items),
    "kill": lambda value, *_: one_of("what dies", value, KILLS),
    "attempts": _attempts,
}
