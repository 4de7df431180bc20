"""A way whose positions come from the explorer: open decisions, possible ends, costs. Plain Python.

The learner's actions run in order, in a thread of their own; the explorer works ahead in another thread.
"""

import itertools
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from ...errors import BadInput
from ...explore.play import Cost, Position, told
from ...explore.search.outlook import BROKEN, FAULT, OPEN
from ..base.work import Work
from .way import WayModel, WayState

BUSY_SECONDS = 0.4  # after which the screen shows that the handler is at work


@dataclass(frozen=True, kw_only=True)
class ExploredState(WayState):
    """The state of the screen. `full` is the position at the end of the whole way; `cost` is the cost of the shortest
    broken prefix, or of the whole way. While a schedule of the explorer is shown, `own` is the learner's (way, number
    of taken decisions); otherwise it is None. `proving` is True while the explorer works ahead.
    """

    full: Position | None = None
    cost: Cost | None = None
    own: tuple | None = None
    proving: bool = True

    @property
    def outlooks(self):
        """The possible ends along the whole way, from no decision on."""
        return self.full.outlooks if self.full else ()

    @property
    def broken_at(self):
        """The number of taken decisions after which no end can be right any more; None while an end can be right."""
        return broken_after(self.outlooks[: self.at + 1])

    @property
    def turned_at(self):
        """The number of the decision, from 1, after which only a fault could still save the run, or None."""
        turns = enumerate(itertools.pairwise(self.outlooks), 1)
        return next((number for number, turn in turns if turn == (OPEN, FAULT)), None)

    @property
    def place(self):
        """The learner's (way, number of taken decisions), also while a schedule of the explorer is shown."""
        return self.own or (self.way, self.at)

    @property
    def shows_found(self):
        """True while the screen shows a schedule that the explorer found."""
        return self.own is not None


def broken_after(outlooks):
    """Return the number of decisions after which no end can be right any more, or None."""
    return outlooks.index(BROKEN) if BROKEN in outlooks else None


class ExploredModel(WayModel):
    """A way of decisions on `handlers`, a list of one for all nodes or one for each.

    `bounds` gives the numbers of nodes and faults, `rules` are the `invariant` and the `reference` of the function
    `explore.prove`. A subclass names its `source`, a class with `look` and `run_out` as in `explore.play`, and
    defines the method `prove`, which works ahead.
    """

    first_state: ExploredState = ExploredState()
    source: Any = None

    def __init__(self, handlers, job, bounds, rules):
        super().__init__(self.first_state)
        self._queue = ThreadPoolExecutor(1, "explored")
        self.handlers, self.job, self.bounds, self.rules = list(handlers), job, bounds, rules
        self.play = self.source(handlers, job, bounds, rules)
        self.do("restart")
        self.work = Work("prove", self.prove, self._not_proved, lambda _: self.update(proving=False))
        self.work.start()

    def actions(self):
        """Return the actions that `do` knows, by name."""
        return super().actions() | {
            "move": lambda name: self.take((*self.state.way[: self.state.at], self.move_named(name))),
            "run_out": lambda _: self.run_out(),
            "own": lambda _: self.stand(*self.state.place, own=None),
        }

    @property
    def nodes(self):
        """The number of nodes."""
        return self.bounds.nodes

    def do(self, action, value=None):
        """Have one action of the learner carried out, after the actions before it. An error is put into
        `state.error`.
        """
        self._last = self._queue.submit(self._carry_out, action, value)

    def wait(self, seconds=30.0, proof=False):
        """Wait until all requested actions are done, with `proof` also for `prove`. For tests and scripts."""
        self._last.result(seconds)
        return not proof or self.work.join(seconds)

    def move_named(self, name):
        """Return the open decision of a name, as `told` returns it. Raises `BadInput` for a decision that is not
        open.
        """
        position = self.state.position
        for decision in position.open if position else ():
            if told(decision) == name:
                return decision
        raise BadInput(f"The move {name!r} cannot be made here. Choose one of those that are shown.")

    def stand(self, way, at, **changes):
        """Stand after the first `at` decisions of a way. `own` stays as it is on the same way, unless `changes` has
        it, and is None on another way.
        """
        full = self.after(way)
        own = self.state.own if way == self.state.way else None
        cost = self.after(way[: broken_after(full.outlooks)]).cost
        super().stand(way, at, **{"own": own, "full": full, "cost": cost, **changes})

    def position_of(self, schedule):
        """Ask the source, and pass the outlooks of the longest known prefix."""
        parts = (self._positions.get(schedule[:end]) for end in range(len(schedule) - 1, -1, -1))
        part = next(filter(None, parts), None)
        return self.play.look(schedule, *((part.outlooks, part.sentence) if part is not None else ()))

    def run_out(self):
        """Go on to the end without a fault. Raises `BadInput` where nobody comes to an end."""
        way = self.play.run_out(self.state.way[: self.state.at])
        if len(way) == self.state.at:
            raise BadInput("Nobody comes to an end from here without a fault. Undo, or choose a move.")
        self.take(way)

    def show(self, schedule):
        """Show a schedule of the explorer, and keep the learner's place for the action "own"."""
        self.stand(schedule, len(schedule), own=self.state.place)

    def prove(self, work):
        """Have the explorer search, in its own thread; `work` is a `Work`."""
        raise NotImplementedError

    def _not_proved(self, why, _):
        if self.state.error is None:
            self.fail(why)

    def _carry_out(self, action, value):
        """Carry out an action by `super().do`, and show that the handler is at work while that takes long."""
        through = threading.Event()

        def is_long():
            with self.lock:
                if not through.is_set():
                    self.update(busy="running")

        timer = threading.Timer(BUSY_SECONDS, is_long)
        timer.daemon = True
        timer.start()
        try:
            super().do(action, value)
        finally:
            timer.cancel()
            with self.lock:
                through.set()
            if self.state.busy != "idle":
                self.update(busy="idle")
