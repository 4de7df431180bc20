"""The adversary's model: the learner's way through a run, the explorer's result for each position, and the proof.

Plain Python. The learner's actions run in order, in a thread of their own, and the handler in the child process; the
explorer works ahead there too.
"""

import itertools
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from ...errors import BadInput, whole
from ...explore.case import bounded
from ...explore.play import Cost, Position, told
from ...explore.proof import Proof
from ...explore.search.outlook import BROKEN, FAULT, OPEN
from ...sandbox import prove_safely
from ...sandbox.prove_safely import SafePlay
from ..base.work import Work
from ..player.way import WayModel, WayState

PROVE_SECONDS = 60
BUSY_SECONDS = 0.4  # after which the screen shows that the handler is at work


@dataclass(frozen=True, kw_only=True)
class AdversaryState(WayState):
    """The state of the screen. `full` is the position at the end of the whole way; `cost` is the cost of the shortest
    broken prefix, or of the whole way. While a schedule of the explorer is shown, `own` is the learner's (way, number
    of taken decisions); otherwise it is None. `proving` is True while the explorer works ahead, and `states` is the
    number of states so far. `simplest` is (schedule, `Cost`) of the simplest way to break the handler, once that is
    known; `asked` is True once the learner may know the result of `prove`.
    """

    full: Position | None = None
    cost: Cost | None = None
    own: tuple | None = None
    proving: bool = True
    states: int = 0
    proof: Proof | None = None
    simplest: tuple = ()
    asked: bool = False

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


def broken_after(outlooks):
    """Return the number of decisions after which no end can be right any more, or None."""
    return outlooks.index(BROKEN) if BROKEN in outlooks else None


class AdversaryModel(WayModel):
    """The learner as scheduler of `handlers`, a list of one for all nodes or one for each.

    `bounds` gives the numbers of nodes and faults, `rules` are the `invariant` and the `reference` of the function
    `explore.prove`, which runs beside the learner.
    """

    what = "The adversary"

    def __init__(self, handlers, job, bounds, rules):
        super().__init__(AdversaryState())
        self._queue = ThreadPoolExecutor(1, "adversary")
        self.handlers, self.job, self.bounds, self.rules = list(handlers), job, bounds, rules
        self.play = SafePlay(handlers, job, bounds, rules)
        self.do("restart")
        self.work = Work("prove", self._prove, self._not_proved, lambda _: self.update(proving=False))
        self.work.start()

    def actions(self):
        """Return the actions that `do` knows, by name."""
        return super().actions() | {
            "move": lambda name: self.take((*self.state.way[: self.state.at], self.move_named(name))),
            "run_out": lambda _: self.run_out(),
            "own": lambda _: self.stand(*self._place(), own=None),
            "ask": lambda _: self.update(asked=True),
            "simplest": lambda _: self._show_simplest(),
        }

    @property
    def nodes(self):
        """The number of nodes."""
        return self.bounds.nodes

    def do(self, action, value=None):
        """Have one action of the learner carried out, after the actions before it. An error is put into
        `state.error`. The proof is stopped at once.
        """
        if action == "stop_proof":
            self.work.stop()
        else:
            self._last = self._queue.submit(self._carry_out, action, value)

    def wait(self, seconds=30.0, proof=False):
        """Wait until all requested actions are done, with `proof` also for the proof. For tests and scripts."""
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
        if self.state.position.ended and self.state.position.outlook != BROKEN:
            self.update(asked=True)  # who has come to a right end may know what `prove` found

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

    def _place(self):
        """Return the learner's (way, number of taken decisions), also while a schedule of the explorer is shown."""
        return self.state.own or (self.state.way, self.state.at)

    def _show_simplest(self):
        if not self.state.simplest:
            raise BadInput("There is no schedule to show: none was found that breaks this handler.")
        self.update(asked=True)
        schedule = self.state.simplest[0]
        self.stand(schedule, len(schedule), own=self._place())

    def _prove(self, work):
        """Search for a schedule that breaks the handler, and for the simplest one."""
        proof = prove_safely(
            self.handlers if len(self.handlers) > 1 else self.handlers[0],
            job=self.job,
            seconds=PROVE_SECONDS,
            progress=lambda states: self.update(states=states),
            stopped=work.stopped,
            **{name: number for name, number in self.bounds.json().items() if name != "items"},
            **self.rules,
        )
        found = proof.counterexample
        self.update(proof=proof, states=proof.states, simplest=self.play.simplest(found.schedule) if found else ())

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


def adversary_model(handler, nodes, items, job, rules, faults):
    """Return the `AdversaryModel` of a handler, or a list of them, within bounds. Raises `BadInput` for bad ones."""
    nodes = len(handler) if nodes is None and isinstance(handler, (list, tuple)) else 2 if nodes is None else nodes
    whole("the number of nodes", nodes, least=1)
    case = bounded(handler, nodes, items, job, faults)
    rules = {name: rule for name, rule in rules.items() if rule}
    return AdversaryModel(case.handlers, case.job, case.bounds, rules)
