"""A run whose scheduler is a person: the possible next decisions after a schedule, and the possible ends of the run.

The open decisions at a point are exactly the entries of `Transitions` there that the remaining faults allow. They are
listed beside the run itself, which is performed with real stores and a recorder, with code lines, stores and clocks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ..errors import BadInput
from ..explore.case import KINDS, cost_of
from ..explore.model.automaton import DIFFERS, GOING, Nondeterministic
from ..explore.model.states import Budget
from ..explore.prove import Prover, exploring
from ..explore.search.search import NOBODY, Limits, Path, Search, Violation, remaining
from ..explore.search.specification import Ideal
from ..simulate.replay import Replay, Replayer
from ..simulate.schedule import ARRIVAL, SPENDS, Decision
from ..stores.codec import decode
from .outlook import BROKEN, OPEN, WRONG, Outlook

if TYPE_CHECKING:
    from ..explore.case import Case
    from ..explore.model.shortcuts import Broken
    from ..explore.model.states import GlobalState

Answer = TypeVar("Answer")
LOOK_STATES, LOOK_SECONDS = 20_000, 3.0  # how far one look ahead may go; `sandbox` waits for 5 s
SIMPLEST_STATES, SIMPLEST_SECONDS = 20_000, 10.0


class Cost(NamedTuple):
    """The cost of a schedule, in the order of comparison of `prove`: faults, switches between nodes, decisions."""

    faults: int
    switches: int
    steps: int


@dataclass(frozen=True)
class Position:
    """Where a run is after the decisions of `replay.schedule`.

    `open` are the `Decision`s that can be taken next; `left` how many faults of each kind are left, by its name in
    `Bounds`; `outlooks` what the run could come to after each of the decisions, from none on, as in `Outlook`, ""
    where that was not known soon enough. `cost` is the schedule's. `ended` is True when all nodes have ended; that is
    right unless the outlook says otherwise. `sentence` describes the error of the end without further faults, unless
    that end can be right. `ideals` are the outputs, as lists, that are right, where they are known.
    """

    replay: Replay
    open: tuple
    left: dict
    outlooks: tuple
    cost: Cost
    ended: bool
    sentence: str
    ideals: tuple

    @property
    def schedule(self) -> tuple[Decision, ...]:
        """The decisions that led here."""
        return tuple(self.replay.schedule)

    @property
    def outlook(self) -> str:
        """The possible ends of the run from here."""
        return self.outlooks[-1]


def look(case: Case, schedule: Sequence[Decision] = (), known: Sequence[str] = (), sentence: str = "") -> Position:
    """Return the `Position` after a schedule.

    `case` is a `Case`, `known` the outlooks of its first parts, `sentence` what is wrong with them if they are
    broken. Raises `BadInput` for a decision that is not open where it stands, `IdealFailed`
    for a handler that does not get through its inputs when nothing goes wrong, and `CourseError` for one that is not
    deterministic.
    """
    return _played(case, lambda play: play.position(schedule, known, sentence))


def run_out(case: Case, schedule: Sequence[Decision] = ()) -> tuple[Decision, ...]:
    """Return the schedule with the decisions after it that lead to the end without a fault, if it comes that way."""
    return _played(case, lambda play: play.to_the_end(schedule))


def simplest(case: Case, known: Sequence[Decision]) -> tuple[tuple[Decision, ...], Cost]:
    """Return (schedule, `Cost`) of the simplest way to where nothing can be right any more.

    `known` is a schedule that `prove` found: that moment is earlier than the violation in which it ends. Where a
    search for the simplest comes to no end, it is the part of this one up to that moment.
    """
    return _played(case, lambda play: play.simplest(known))


def _played(case: Case, ask: Callable[[Play], Answer]) -> Answer:
    """Return what a `Play` answers; equal nodes are taken for each other unless one of them asks for its number."""
    limits = Limits(SIMPLEST_STATES, SIMPLEST_SECONDS)

    def explore(symmetric: bool, broken: Collection[Broken]) -> Answer:
        prover = Prover(case, limits, symmetric=symmetric, merge=True, broken=broken)
        try:
            return ask(Play(prover))
        finally:
            prover.close()

    return exploring(explore, case.symmetric)


class Play:
    """One handler, or one for each node, within bounds, with the known outlooks so far."""

    def __init__(self, prover: Prover) -> None:
        self.prover, self.bounds, self.automaton = prover, prover.bounds, prover.automaton
        self.outlook = Outlook(prover.automaton, prover.specification, prover.bounds)
        self.transitions = self.outlook.transitions

    def walk(self, schedule: Sequence[Decision]) -> Iterator[tuple[Path, GlobalState, Cost]]:
        """Yield (`Path`, the `Search`'s state, `Cost`) before the first decision and after each."""
        path, last, switches = Path(self.transitions), NOBODY, 0
        budget = self.bounds.budget
        for number in range(len(schedule) + 1):
            store_state, locals_ = path.moments[-1]
            state = store_state, budget, last, tuple(locals_)
            yield path, state, Cost(self.bounds.faults - remaining(budget), switches, number)
            if number == len(schedule):
                return
            decision = Decision(*schedule[number])
            found = self.open(path, state)
            if decision not in found:
                raise BadInput(f"Decision {number + 1}, {told(decision)}, is not open where it stands.")
            budget = Budget(budget - cost_of(decision.kind))
            if decision.kind != ARRIVAL:
                switches += last not in (NOBODY, decision.actor)
                last = NOBODY if found[decision] else decision.actor
            path.take(decision)

    def open(self, path: Path, state: GlobalState) -> dict[Decision, bool]:
        """Return {decision: whether its actor rests after it} of all that can be decided in a state."""
        store_state, budget, _, locals_ = state
        found = {}
        for actor, local in enumerate(locals_):
            for one in self.transitions.of(store_state, local, actor):
                if one.fits(budget):
                    found[Decision(actor, one.kind, one.option)] = one.rests
        numbers = {entry: number for number, entry in sorted(path.late.items(), reverse=True)}
        for arrival in self.transitions.arrivals(store_state):
            if arrival.arrived is not None:
                found[Decision(arrival.option, ARRIVAL, numbers[arrival.arrived])] = False
        return found

    def position(self, schedule: Sequence[Decision], known: Sequence[str] = (), sentence: str = "") -> Position:
        """Return the `Position` after a schedule; `known` are the outlooks of its first parts, from none on."""
        limits, outlooks, walked = Limits(LOOK_STATES, LOOK_SECONDS), list(known)[: len(schedule) + 1], []
        for path, state, cost in self.walk(schedule):
            walked.append((path, state, cost))
            if len(walked) > len(outlooks):
                outlooks.append(BROKEN if outlooks[-1:] == [BROKEN] else self.outlook.of(state, limits))
        path, state, cost = walked[-1]
        store_state, budget, _, locals_ = state
        replay = Replayer(self.prover.programs).replay(list(schedule))
        if replay.run.outcome != self.automaton.contents.outcome(store_state):
            raise Nondeterministic(DIFFERS)
        return Position(
            replay=replay,
            open=tuple(self.open(path, state)),
            left={kind: budget >> 4 * place & 15 for place, kind in enumerate(KINDS) if getattr(self.bounds, kind)},
            outlooks=tuple(outlooks),
            cost=cost,
            ended=all(self.automaton.states[local].kind == "ended" for local in locals_[: self.bounds.nodes]),
            sentence=sentence if BROKEN in known else self._what_is_wrong(schedule, outlooks),
            ideals=self._ideals(),
        )

    def to_the_end(self, schedule: Sequence[Decision]) -> tuple[Decision, ...]:
        """Return the schedule, gone on with to the end without a fault; as it is where no node finishes."""
        for _ in self.walk(schedule):
            pass
        path = Path(self.transitions, schedule)
        return tuple(path.schedule if path.goes_on_to_the_end() else schedule)

    def simplest(self, known: Sequence[Decision]) -> tuple[tuple[Decision, ...], Cost]:
        """Return (schedule, `Cost`) of the simplest way to a state that is broken; see `simplest` above."""
        limits = Limits(SIMPLEST_STATES, SIMPLEST_SECONDS)
        goal = Search(
            self.automaton,
            self.prover.specification,
            self.bounds,
            goal=lambda state: "broken" if self.outlook.of(state, limits) == BROKEN else None,
        )
        found = goal.in_order(limits)
        schedule = list(known) if found.violation is None else found.violation.schedule
        walked = [(cost, self.outlook.of(state, limits)) for _, state, cost in self.walk(schedule)]
        cost = next((cost for cost, outlook in walked if outlook == BROKEN), walked[-1][0])
        return tuple(schedule[: cost.steps]), cost

    def _ideals(self) -> tuple[tuple[Any, ...], ...]:
        """Return the outputs that are right, as tuples of values, where they are those of runs of one node."""
        specification = self.prover.specification
        if not isinstance(specification, Ideal):
            return ()
        return tuple(sorted({tuple(map(decode, one.outputs)) for one in specification.outcomes}, key=repr))

    def _what_is_wrong(self, schedule: Sequence[Decision], outlooks: Sequence[str]) -> str:
        """Describe the error of the end without further faults; "" where that may be right."""
        if outlooks[-1] in (OPEN, ""):
            return ""
        schedule = list(schedule[: outlooks.index(BROKEN)] if outlooks[-1] == BROKEN else schedule)
        *_, (_, state, _) = self.walk(schedule)
        if self.outlook.end(state) == "":
            path = Path(self.transitions, schedule)
            if not path.goes_on_to_the_end():
                return self._no_end(schedule)
            schedule = path.schedule
        for path, state, _ in self.walk(schedule):
            if self.outlook.end(state) == WRONG:
                kinds = [self.automaton.states[local].kind for local in state[3]]
                ended = all(kind == "ended" for kind in kinds[: self.bounds.nodes])
                kind = "raised" if "raised" in kinds else "outcome" if ended else "visible"
                taken = schedule[: len(path.moments) - 1]
                return self.prover.counterexample(Violation(kind, taken, state[0])).sentence
        return ""

    def _no_end(self, schedule: Sequence[Decision]) -> str:
        """Describe the error where the nodes do not finish by themselves."""
        *_, (_, (store_state, _, _, locals_), _) = self.walk(schedule)
        stuck = not any(self.transitions.fault_free(store_state, local, actor) for actor, local in enumerate(locals_))
        waits = any(self.automaton.states[local].kind in GOING for local in locals_)
        if stuck and waits:
            return self.prover.counterexample(Violation("deadlock", list(schedule), store_state)).sentence
        return "If nothing more goes wrong, the nodes do not come to an end."


def told(decision: Decision) -> str:
    """Return a decision as in tokens: "0s" is a step of the first node."""
    option = decision.option if decision.option or decision.kind == ARRIVAL else ""
    return f"{decision.actor}{decision.kind}{option}"


def fault_of(decision: Decision) -> str:
    """Return the kind of fault that a decision spends, by its name in `Bounds`, or "" for none."""
    return SPENDS.get(decision.kind, "")
