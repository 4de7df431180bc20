"""The adversary's model: the learner's decisions and their results. Plain Python."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from ...errors import BadInput, whole
from ...explore import tokens
from ...explore.case import bounded
from ...explore.play import Cost, Position, told
from ...explore.proof import Proof
from ...explore.search.outlook import BROKEN
from ...sandbox import prove_safely
from ...sandbox.play_safely import SafePlay
from ..base.model import BaseState, Model
from ..base.work import Work

PROVE_SECONDS = 60
BUSY_SECONDS = 0.4  # after which the screen shows that the handler is at work


@dataclass(frozen=True, kw_only=True)
class AdversaryState(BaseState):
    """The state of the screen. It is replaced as a whole, so that a reader never sees half a change.

    `way` are all decisions; the first `at` were taken, the others were undone and can be done again. `position` is
    the present state of the run, `full` the state at the end of the whole way, `outlooks` are the possible ends along
    the whole way, from no decision on. `own` is the learner's way while the simplest is shown, else None. `asked` is
    True once the learner may know the result of `prove`.
    """

    way: tuple = ()
    at: int = 0
    position: Position | None = None
    full: Position | None = None
    outlooks: tuple = ()
    own: tuple | None = None
    proving: bool = False
    states: int = 0
    proof: Proof | None = None
    simplest: tuple = ()
    cost: Cost | None = None
    asked: bool = False

    @property
    def broken_at(self):
        """The number of the decision, from 1, after which no end can be right any more; None while there is none.

        It is 0 for a run that is broken before any decision.
        """
        return self.outlooks.index(BROKEN) if BROKEN in self.outlooks[: self.at + 1] else None

    @property
    def shows_simplest(self):
        """True while the screen shows the schedule that `prove` found."""
        return self.own is not None


class AdversaryModel(Model):
    """The learner as scheduler of `handlers`, a list of one for all nodes or one for each.

    `bounds` gives the numbers of nodes and faults, `rules` are `prove`'s `invariant` and `reference`. `changed` is
    called after each change of `state`, in any thread. The learner's actions run in order, in a thread of their own;
    `prove` runs at once, in another thread.
    """

    what = "The adversary"
    first_state = AdversaryState(proving=True)
    player: Any = SafePlay

    def __init__(self, handlers, job, bounds, rules=None, changed=None, prover=prove_safely):
        super().__init__(self.first_state, changed)
        self.handlers, self.job, self.bounds, self.rules = list(handlers), job, bounds, rules or {}
        self.play, self.prover = self.player(handlers, job, bounds, rules), prover
        self._positions = {}
        self._queue = ThreadPoolExecutor(1, "adversary")
        self.do("restart")
        self.work = Work("prove", self._prove, self._not_proved, self._proved)
        self.work.start()

    def actions(self):
        """Return the actions that `do` knows, by name."""
        return {
            "move": self._move,
            "undo": lambda _: self._go(self.state.way, self.state.at - 1),
            "redo": lambda _: self._go(self.state.way, self.state.at + 1),
            "go": lambda value: self._go(self.state.way, int(value)),
            "restart": lambda _: self._go((), 0),
            "run_out": lambda _: self._run_out(),
            "ask": lambda _: self.update(asked=True),
            "simplest": lambda _: self._show_simplest(),
            "own": lambda _: self._go(self.state.own or (), len(self.state.own or ())),
        }

    def do(self, action, value=None):
        """Have one action of the learner carried out, after the actions before it. An error is put into
        `state.error`.
        """
        if action == "stop_proof":
            self.work.stop()
        else:
            self._last = self._queue.submit(self._done, action, value)

    def wait(self, seconds=30.0, proof=False):
        """Wait until all requested actions are done, with `proof` also for `prove`. For tests and scripts."""
        self._last.result(seconds)
        return not proof or self.work.join(seconds)

    @property
    def token(self):
        """The token of the way so far; `replay` performs it."""
        return tokens.write(self.handlers, self.job, self.bounds.nodes, self.state.way[: self.state.at])

    @property
    def plain_handlers(self):
        """The functions of the nodes, without the programs around them."""
        return [getattr(one, "handler", one) for one in self.handlers]

    def move_named(self, name):
        """Return the open decision of a name, as `told` returns it. Raises `BadInput` for a decision that is not
        open.
        """
        position = self.state.position
        for decision in position.open if position else ():
            if told(decision) == name:
                return decision
        raise BadInput(f"The move {name!r} cannot be made here. Choose one of those that are shown.")

    def _done(self, action, value):
        timer = threading.Timer(BUSY_SECONDS, self.update, kwargs={"busy": "running"})
        timer.daemon = True
        timer.start()
        try:
            super().do(action, value)
        finally:
            timer.cancel()
            if self.state.busy != "idle":
                self.update(busy="idle")

    def _move(self, name):
        self._take((*self.state.way[: self.state.at], self.move_named(name)))

    def _take(self, way):
        """Stand after these decisions; the undone decisions after them stay, to be done again."""
        if way == self.state.way[: len(way)]:
            self._go(self.state.way, len(way))
        else:
            self._go(way, len(way))

    def _go(self, way, at, own=None):
        """Stand after the first `at` decisions of a way."""
        at = max(0, min(len(way), at))
        if own is None and self.state.own is not None and way == self.state.way:
            own = self.state.own
        full = self._position(way) if way not in self._positions or at == len(way) else self._positions[way]
        position = full if at == len(way) else self._position(way[:at])
        ended_right = position.ended and position.outlook != BROKEN
        self.update(
            way=way,
            at=at,
            own=own,
            position=position,
            full=full,
            outlooks=full.outlooks,
            cost=self._cost(full),
            asked=self.state.asked or ended_right,
        )

    def _cost(self, full):
        """Return the cost until no end could be right any more, or the cost of the whole way."""
        if BROKEN not in full.outlooks:
            return full.cost
        return self._position(full.schedule[: full.outlooks.index(BROKEN)]).cost

    def _position(self, schedule):
        """Return the `Position` after a schedule; each schedule is computed once."""
        if schedule not in self._positions:
            parts = (self._positions.get(schedule[:end]) for end in range(len(schedule) - 1, -1, -1))
            part = next(filter(None, parts), None)
            known = (part.outlooks, part.sentence) if part is not None else ()
            self._positions[schedule] = self.play.look(schedule, *known)
        return self._positions[schedule]

    def _run_out(self):
        state = self.state
        way = self.play.run_out(state.way[: state.at])
        if len(way) == state.at:
            raise BadInput("Nobody comes to an end from here without a fault. Undo, or choose a move.")
        self._go(way, len(way))

    def _show_simplest(self):
        state = self.state
        if not state.simplest:
            raise BadInput("There is no schedule to show: none was found that breaks this handler.")
        schedule = state.simplest[0]
        self.update(asked=True)
        self._go(schedule, len(schedule), own=state.way if state.own is None else state.own)

    def _prove(self, work):
        proof = self.prover(
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

    def _proved(self, _):
        self.update(proving=False)


def adversary_model(handler, nodes, items, job=None, rules=None, **faults):
    """Return the `AdversaryModel` of a handler, or a list of them, within bounds. Raises `BadInput` for bad ones."""
    nodes = len(handler) if nodes is None and isinstance(handler, (list, tuple)) else 2 if nodes is None else nodes
    whole("the number of nodes", nodes, least=1)
    case = bounded(handler, nodes, items, job, faults)
    rules = {name: rule for name, rule in (rules or {}).items() if rule}
    return AdversaryModel(case.handlers, case.job, case.bounds, rules)
