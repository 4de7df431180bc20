"""Playing against learners' handlers where they can do no harm: in the warm child process."""

from collections.abc import Mapping
from typing import Any

from ..explore.case import Case
from ..node.program import pickle_handler, unpickle_handler
from ..sandbox.pool import call, preload
from . import play

MOVE_SECONDS = 5.0
preload(__name__)


class SafePlay:
    """The answers of `play` about one handler, or one for each node, within bounds, from the child process.

    `rules` are `prove`'s `reference` and `invariant`. Each call raises the errors of `play`, and `HandlerStuck` when
    the handler does not get to its next step in time.
    """

    def __init__(self, handlers: Any, job: Any, bounds: Any, rules: Mapping[str, Any] | None = None) -> None:
        self.case = job, bounds
        rules = {name: rule for name, rule in (rules or {}).items() if rule is not None}
        self.pickled = pickle_handler((list(handlers), rules))  # as they are now

    def look(self, schedule: Any, known: Any = (), sentence: Any = "") -> Any:
        """Return the `Position` after a schedule; see `play.look` for what may be `known` of its first parts."""
        return self._ask("look", tuple(schedule), tuple(known), sentence)

    def run_out(self, schedule: Any) -> Any:
        """Return the schedule with the decisions that lead to its end without a fault."""
        return self._ask("run_out", tuple(schedule))

    def simplest(self, known: Any) -> Any:
        """Return (schedule, `Cost`) of the simplest way to where nothing can be right any more."""
        return self._ask("simplest", tuple(known), seconds=play.SIMPLEST_SECONDS + MOVE_SECONDS)

    def _ask(self, what: str, *arguments: tuple[Any, ...], seconds: float = MOVE_SECONDS) -> Any:
        return call(_answer, what, self.pickled, self.case, arguments, seconds=seconds)


def _answer(what: str, pickled: bytes, case: Any, arguments: tuple[Any, ...]) -> Any:
    """Answer in the child process."""
    handlers, rules = unpickle_handler(pickled)
    return getattr(play, what)(Case.within(handlers, *case, **rules), *arguments)
