"""The table of claims: each with its definition, its check, its bounds, its verdict, and one mutant of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import BadInput, one_of, whole
from ..explore.bounds import KINDS
from ..explore.proof import Counterexample
from ..lockfree.general import general
from ..node.node import Handler
from ..node.program import program_of
from ..pipeline import Job
from ..verdict import ideal_outcomes
from . import mutants as changed
from . import properties
from .mutants import Mutant, beside_a_database, totals
from .properties import Checked
from .schedules import Schedules, explored, ideal_of

USUAL, SECOND = "the handler", "the second handler"
WORDS = {
    USUAL: "`general` with the function `totals`: it adds up the readings of one stream and sends each total; one "
    "output, no database",
    SECOND: "the same with two outputs: the hour goes to the second one, and a node of the database counts what "
    "comes there",
}
SECOND_ITEMS = 1


def faults_of(nodes: int, but: Sequence[str] = ()) -> tuple[tuple[str, ...], ...]:
    """Return the faults that the checks look at: each kind once, and as many crashes as there are nodes."""
    return tuple((kind,) * (nodes if kind == "crashes" else 1) for kind in KINDS if kind not in but)


def for_mutants(nodes: int) -> tuple[tuple[str, ...], ...]:
    """Return the faults that the checks look at for mutants, and for the handler beside a database."""
    return faults_of(nodes, but=("pauses", "late_requests"))


@dataclass(frozen=True)
class Claim:
    """One claim: its meaning, its check, and the mutants, of which each fails this check and no other.

    Where there can be no such mutant, since the claim `follows` from others, `because` says why; its mutant is then
    found by the checks of these, too. `remark` is a further note on the claim. `faults` tells whether it is checked
    with faults, of one kind at a time, or else within which `bounds`.
    """

    name: str
    means: str
    how: str
    check: Callable[[Schedules], Checked]
    mutants: tuple[Mutant, ...]
    faults: bool = True
    bounds: str = "no fault"
    follows: tuple[str, ...] = ()
    because: str = ""
    remark: str = ""


CLAIMS = {
    claim.name: claim
    for claim in (
        Claim(
            "exactly-once",
            "When all nodes have ended, queues, state, positions and database together are what one node leaves that "
            "runs alone without faults.",
            "The end of every schedule is compared with the ends of such runs.",
            properties.exactly_once, (changed.NO_ANSWER,),
        ),
        Claim(
            "heterogeneous",
            "No step touches two stores, so machine, queues, database and inputs may lie in stores that share "
            "nothing.",
            "Of every operation that any incarnation asks for, it is looked up whose parts it reads or writes.",
            properties.heterogeneous, (changed.ONE_TRANSACTION,),
        ),
        Claim(
            "concurrent",
            "Several nodes work on the same inputs: there is a schedule without faults in which every twin makes a "
            "transition of the machine.",
            "Such a schedule is searched for.",
            properties.concurrent, (changed.LEADER,), faults=False, follows=("lock-free", "no downtime"),
            because="Let one node make the first transition, and leave another one alone then. It finishes "
            "(lock-free), and that is not before all is done (no downtime), so it makes the rest of them.",
        ),
        Claim(
            "hot–hot",
            "No node is on standby: in no schedule without faults does a node wait, neither because it has to, nor "
            "by looking again at what has not changed before it has tried anything.",
            "What each node has read since it last tried to write is remembered along every schedule.",
            properties.hot_hot, (changed.POLITE,), faults=False,
            remark="This is necessary, and not enough: a node that tries and always comes too late passes as well. A "
            "wait for input does not count.",
        ),
        Claim(
            "lock-free",
            "Whatever becomes of the others, and however they are scheduled, some node makes progress.",
            "Every incarnation, left alone at any moment, ends, or waits for input; every loop of steps is found.",
            properties.lock_free, (changed.RESERVING,),
            remark="The nodes make finitely many calls, so that within the bounds this is wait-free as well.",
        ),
        Claim(
            "deadlock-free",
            "There is always a node that can take a step, until all have ended.",
            "Every state in which a node has not ended is asked for a step without a fault.",
            properties.deadlock_free, (changed.TWO_LOCKS,), follows=("lock-free",),
            because="In a deadlock no node can take a step, so one that has not ended never ends if it is left alone "
            "there. No twin waits for input, since the hours are all there, and the database's node does so only "
            "while a twin has not ended. So some twin waits for another: that is not lock-free.",
        ),
        Claim(
            "race-free",
            "Nobody writes over what it has not seen: what a step changes was not changed by another since its node "
            "last read it.",
            "For each node it is remembered along every schedule which cells others have changed since it read them.",
            properties.race_free, (changed.HINT_OVERWRITTEN,), faults=False,
            remark="It holds by construction where every write is a versioned compare-and-swap: one that succeeds "
            "has named the version that is there, so nobody has written since.",
        ),
        Claim(
            "hard stop",
            "All nodes die at once, at any step; their next incarnations finish, and all is right.",
            "From each state all incarnations are replaced by new ones, and all their schedules are explored.",
            properties.hard_stop, (changed.POISON,), faults=False, bounds="all nodes die once, at any step",
            follows=("exactly-once", "lock-free"),
            because="All nodes that die at once are as many crashes, one after the other, as there are nodes. With "
            "so many, every run that ends is right (exactly-once), and every run ends (lock-free).",
        ),
        Claim(
            "no failover",
            "Wherever the others stop for good, a node's next output takes at most k of its steps, which is at most "
            "twice r, the most that one node alone takes for an output; and no node asks whether another lives.",
            "The longest way of each incarnation, alone, to the next output is computed from every state; and no "
            "part is read that one other node alone writes.",
            properties.no_failover, (changed.RESTORING,), faults=False,
            bounds="all others stop for good, at any step",
        ),
        Claim(
            "no downtime",
            "Only a crash takes a node out: no incarnation ends before all is done, whatever answer is lost or late.",
            "In every state with an incarnation that has ended, or that a lost answer can end, all has to be done.",
            properties.no_downtime, (changed.GIVING_UP,),
        ),
        Claim(
            "atomic",
            "Who observes one store, as a whole and again and again, sees a run of one node without faults grow: "
            "only what it shows, in its order, and nothing is taken back.",
            "Before and after every step the queues together, the machine and the database are compared with those "
            "of such runs.",
            properties.atomic, (changed.DRAFT_FIRST, changed.TAKES_BACK),
        ),
    )
}  # fmt: skip


MUTANTS = {mutant.name: mutant for claim in CLAIMS.values() for mutant in claim.mutants}


@dataclass(frozen=True)
class Finding:
    """The result of one check of one handler: whether the claim holds, a sentence, the bounds, the number of states.

    `schedule` is the simplest one that breaks the claim, or one that shows it at work, if there is one.
    """

    holds: bool
    says: str
    bounds: str
    states: int
    schedule: Counterexample | None = None


class Claims(dict[str, Mapping[str, Finding]]):
    """The findings of each claim: {claim: {handler that was asked: `Finding`}}; the mutants have their names.

    `words` say which handler was asked, and which second one, and `seconds` how long it took.
    """

    def __init__(self, found: Mapping[str, Mapping[str, Finding]], words: Mapping[str, str], seconds: float) -> None:
        super().__init__({name: {asked: found[asked][name] for asked in found} for name in CLAIMS})
        self.words, self.seconds = words, seconds

    def __missing__(self, name: str) -> Mapping[str, Finding]:
        return self[one_of("The claim", name, self)]

    @property
    def ok(self) -> bool:
        """True when every claim holds."""
        return all(row[asked].holds for row in self.values() for asked in self.words)

    @property
    def mutants(self) -> list[str]:
        """The names of the mutants that were asked, in the order of their claims."""
        return [name for name in MUTANTS if any(name in row for row in self.values())]

    def found_by(self, mutant: str) -> list[str]:
        """Return the claims that a mutant breaks."""
        return [name for name, row in self.items() if not row[mutant].holds]


def claims(
    nodes: int = 2,
    items: int = 2,
    *,
    handler: Handler | None = None,
    mutants: bool = True,
    faults: Sequence[tuple[str, ...]] | None = None,
) -> Claims:
    """Check every claim of the lock-free handler on so many nodes and hours of input. Returns `Claims`.

    `handler` is one that `general` returned; without it the usual one is asked, which adds up the readings and sends
    each total, and over one hour a second one, which has two outputs and the database beside it. With `mutants` every
    check is asked of every mutant, too, which are mutants of the usual one. `faults` are the faults of the
    schedules: those of each tuple in turn, by the names that `prove` has for them, may all strike, each as often as
    it is named; by default each kind once, and as many crashes as there are nodes, and without pauses and late
    requests for the mutants and the second handler. A line is printed for each handler.

    Raises `BadInput` for bounds that make no sense, and for a handler that `general` did not make;
    `IdealFailed` for one that fails when nothing goes wrong, `CourseError` where there are too many states.
    """
    whole("the number of nodes", nodes, least=1)
    whole("the number of items", items, least=1)
    _check_faults(faults)
    given = general(totals) if handler is None else handler
    if not callable(given) or program_of(given, Job(items=items)).machine is None:
        raise BadInput(f"The handler is {given!r}; give one that general(function) returns.")
    ideal_outcomes(given, Job(items=items))  # of one that fails by itself nothing is to be found
    begun, words, found = time.perf_counter(), WORDS, {}
    asked = {USUAL: (given, given, items, faults_of(nodes))}
    if handler is None:
        second = beside_a_database(nodes)
        asked[SECOND] = second, second, min(items, SECOND_ITEMS), for_mutants(nodes + 1)  # one is the database's
    else:
        words = {USUAL: f"{given.__name__!r}, your own"}
    for name, mutant in MUTANTS.items() if mutants and handler is None else ():
        right, hours = general(mutant.function), min(items, mutant.most_items)
        asked[name] = mutant.handler, right, hours, for_mutants(nodes)
    for number, (name, (one, right, hours, struck)) in enumerate(asked.items(), 1):
        print(f"{number} of {len(asked)}, {name}: ", end="", flush=True)
        found[name] = findings(one, right, nodes, hours, struck if faults is None else faults)
        hold = sum(finding.holds for finding in found[name].values())
        print(f"{hold} of {len(found[name])} checks hold", flush=True)
    return Claims(found, words, time.perf_counter() - begun)


def _check_faults(faults):
    """Raise `BadInput` for faults that are no list of tuples of names."""
    if faults is not None and not (
        isinstance(faults, (tuple, list)) and all(isinstance(names, (tuple, list)) for names in faults)
    ):
        raise BadInput(f"The faults are {faults!r}; give a list of tuples, such as [('crashes',), ('pauses',)].")
    for name in (name for names in faults or () for name in names):
        one_of("the kind of fault", name, KINDS)


def findings(
    handler: Handler | Sequence[Any],
    right: Handler | Sequence[Any],
    nodes: int,
    items: int,
    faults: Sequence[tuple[str, ...]],
    only: Sequence[str] = tuple(CLAIMS),
) -> dict[str, Finding]:
    """Return the findings of the checks for one handler, by name of the claim; `only` names the claims.

    `handler` may be a list with one for each node: the twins, which share a machine, and others beside them. `right`
    is the handler that shows, alone and without faults, what the stores may hold.
    """
    handlers, others = (one if isinstance(one, (list, tuple)) else [one] for one in (handler, right))
    ideal = ideal_of(others, items)

    def ask(schedules: Schedules) -> dict[str, Finding]:
        schedules.ideal = ideal
        return {name: _finding(CLAIMS[name], schedules) for name in only}

    return explored(ask, handlers, len(handlers) if len(handlers) > 1 else nodes, items, faults)


def _finding(claim, schedules):
    checked = claim.check(schedules)
    without, *struck = (str(schedules.bounds(faults)).split(", ", 2) for faults in schedules.faults)
    within = ", or ".join(["no fault", *(" and ".join(words[2].split(", ")) for words in struck)])
    return Finding(
        checked.holds,
        checked.says,
        f"{without[0]}, {without[1]}; {within if claim.faults else claim.bounds}",
        schedules.states if claim.faults else checked.states or len(schedules.graph),
        checked.example,
    )
