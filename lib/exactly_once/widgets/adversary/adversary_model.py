"""The adversary without its screen: the learner is the scheduler of a handler and tries to break it.

The model knows the result of the explorer for each position of the way of the learner, and the proof beside it. The
handler runs in the child process, and so does the explorer, which works ahead there.
"""

import itertools
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from ...adversary import play
from ...adversary.outlook import BROKEN, FAULT, OPEN
from ...adversary.play import Cost, told
from ...adversary.safe_play import SafePlay
from ...errors import BadInput
from ...explore.proof import Proof
from ...sandbox import prove_safely
from ..base.model import Work
from ..player.player_model import Player, PlayerState
from ..player.scene import Position

PROVE_SECONDS = 60


@dataclass
class Looked(Position):
    """Where a run is, and what the explorer says of it: `look`."""

    look: play.Position


@dataclass(frozen=True, kw_only=True)
class AdversaryState(PlayerState):
    """The state of the screen. `cost` is that of the shortest broken part of the way.

    While a schedule of the explorer is shown, `own` is the learner's (way, number of taken decisions); otherwise it
    is None. `proving` is True while the explorer works ahead. `simplest` is (schedule, `Cost`) of the simplest way to
    break the handler, once that is known; `asked` is True once the learner may know the result of `prove`.
    """

    cost: Cost | None = None
    own: tuple | None = None
    proving: bool = True
    proof: Proof | None = None
    simplest: tuple = ()
    asked: bool = False

    @property
    def broken_at(self) -> Any:
        """The number of taken decisions after which no end can be right any more; None while an end can be right."""
        outlooks = self.position.look.outlooks
        return outlooks.index(BROKEN) if BROKEN in outlooks else None

    @property
    def turned_at(self) -> int | None:
        """The number of the decision, from 1, after which only a fault could still save the run, or None."""
        turns = enumerate(itertools.pairwise(self.position.look.outlooks), 1)
        return next((number for number, turn in turns if turn == (OPEN, FAULT)), None)


class AdversaryModel(Player):
    """The learner as scheduler of a `Game`, that is, of its `Case` and its rules.

    The rules are the `invariant` and the `reference` of the function `explore.prove`, which runs beside the learner.
    Raises the errors of `SafePlay`, for a handler that fails or hangs before anything went wrong.
    """

    kind = AdversaryState

    def __init__(self, game: Any) -> None:
        self.case, self.rules = game.case, game.rules
        self.play = SafePlay(self.case.handlers, self.case.job, self.case.bounds, self.rules)
        super().__init__(game)
        self.work = Work("prove", self._prove, lambda why, _: self.fail(why), lambda _: self.update(proving=False))
        self.work.start()

    def actions(self) -> dict[str, Callable[..., Any]]:
        """Return the actions that `do` knows, by name."""
        return super().actions() | {
            "move": lambda name: self.decide(*self.move_named(name)),
            "all": lambda _: self.run_out(),
            "own": lambda _: self.stand(*self._place(), own=None),
            "ask": lambda _: self.update(asked=True),
            "simplest": lambda _: self._show_simplest(),
        }

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return self.case.bounds.nodes

    def move_named(self, name: str) -> Any:
        """Return the open decision of a name, as `told` returns it. Raises `BadInput` for one that is not open."""
        for decision in self.state.position.look.open:
            if told(decision) == name:
                return decision
        raise BadInput(f"The move {name!r} cannot be made here. Choose one of those that are shown.")

    def stand(self, way: tuple[Any, ...], at: int, **changes: Any) -> None:
        """Stand after the first `at` decisions of a way. `own` stays as it is on the same way, unless `changes` has
        it, and is None on another way.
        """
        own = self.state.own if way == self.state.way else None
        super().stand(way, at, **{"own": own, **changes})
        look, broken = self.state.position.look, self.state.broken_at
        if broken is not None:
            self.update(cost=self.after(way[:broken]).look.cost)
        elif look.ended:
            self.update(asked=True)  # who has come to a right end may know what `prove` found

    def position_of(self, schedule):
        """Ask the explorer, and pass the outlooks of the longest known prefix."""
        parts = (self._positions.get(schedule[:end]) for end in range(len(schedule) - 1, -1, -1))
        part = next(filter(None, parts), None)
        look = self.play.look(schedule, *((part.look.outlooks, part.look.sentence) if part is not None else ()))
        return Looked(look.replay, None, look)

    def run_out(self) -> None:
        """Go on to the end without a fault. Raises `BadInput` where nobody comes to an end."""
        way = self.play.run_out(self.state.way[: self.state.at])
        if len(way) == self.state.at:
            raise BadInput("Nobody comes to an end from here without a fault. Undo, or choose a move.")
        self.take(way)

    def restore(self, moment: AdversaryState) -> None:
        """Leave the state as it is: an action that failed has changed nothing, and the proof may have."""

    def _place(self) -> tuple[tuple[Any, ...], int]:
        """Return the learner's (way, number of taken decisions), also while a schedule of the explorer is shown."""
        return self.state.own or (self.state.way, self.state.at)

    def _show_simplest(self) -> None:
        if not self.state.simplest:
            raise BadInput("There is no schedule to show: none was found that breaks this handler.")
        schedule = self.state.simplest[0]
        self.stand(schedule, len(schedule), own=self._place(), asked=True)

    def _prove(self, work: Work) -> None:
        """Search for a schedule that breaks the handler, and for the simplest one."""
        handlers, bounds = self.case.handlers, asdict(self.case.bounds)
        proof = prove_safely(
            handlers if len(handlers) > 1 else handlers[0],
            job=self.job,
            seconds=PROVE_SECONDS,
            stopped=work.stopped,
            **{name: number for name, number in bounds.items() if name != "items"},
            **self.rules,
        )
        found = proof.counterexample
        self.update(proof=proof, simplest=self.play.simplest(found.schedule) if found else ())
