"""The table of claims: each with its definition, its check, its bounds, its verdict, and one mutant of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import BadInput, one_of, whole
from ..explore.bounds import KINDS
from ..explore.proof import Counterexample
from ..lockfree.general import general
from ..node.node import Handler
from ..node.program import program_of
from ..pipeline import Job
from ..verdict import ideal_outcomes
from . import checks
from .checks import Checked, Ideal
from .mutants import MUTANTS, beside_a_database, totals
from .schedules import Schedules, Stopped

WITH_ITS_IDEAL = ("exactly-once", "hard stop", "atomic")
FIRST = (
    "`general` with the function `totals`: it adds up the readings of one stream and sends each total; one output, "
    "no database"
)
SECOND = (
    "the same with two outputs: the hour goes to the second one, and a node of the database counts what comes there"
)
SECOND_ITEMS = 1


def faults_of(nodes: int, but: Sequence[str] = ()) -> tuple[tuple[str, ...], ...]:
    """Return the faults that the checks look at: each kind once, and as many crashes as there are nodes."""
    return tuple((kind,) * (nodes if kind == "crashes" else 1) for kind in KINDS if kind not in but)


def for_mutants(nodes: int) -> tuple[tuple[str, ...], ...]:
    """Return the faults that the checks look at for mutants, and for the handler beside a database."""
    return faults_of(nodes, but=("pauses", "late_requests"))


@dataclass(frozen=True)
class Claim:
    """One claim: its meaning, its check, and the mutant that fails this check and no other.

    `another` is a second such mutant. Where there can be none, since the claim `follows` from others, `because` says
    why; its mutant is then found by the checks of these, too. `remark` is a further note on the claim. `faults` tells
    whether it is checked with faults, of one kind at a time.
    """

    name: str
    means: str
    how: str
    check: Callable[..., Checked]
    mutant: str
    faults: bool = True
    follows: tuple[str, ...] = ()
    because: str = ""
    bounds: str = "no fault"
    another: str = ""
    remark: str = ""

    @property
    def mutants(self) -> list[str]:
        """The names of its mutants."""
        return [name for name in (self.mutant, self.another) if name]


CLAIMS = {
    claim.name: claim
    for claim in (
        Claim(
            "exactly-once",
            "When all nodes have ended, queues, state, positions and database together are what one node leaves that "
            "runs alone without faults.",
            "The end of every schedule is compared with the ends of such runs.",
            checks.exactly_once, "no answer is taken for done",
        ),
        Claim(
            "heterogeneous",
            "No step touches two stores, so machine, queues, database and inputs may lie in stores that share "
            "nothing.",
            "Of every operation that any incarnation asks for, it is looked up whose parts it reads or writes.",
            checks.heterogeneous, "one transaction",
        ),
        Claim(
            "concurrent",
            "Several nodes work on the same inputs: there is a schedule without faults in which every twin makes a "
            "transition of the machine.",
            "Such a schedule is searched for.",
            checks.concurrent, "a leader", faults=False, follows=("lock-free", "no downtime"),
            because="Let one node make the first transition, and leave another one alone then. It finishes "
            "(lock-free), and that is not before all is done (no downtime), so it makes the rest of them.",
        ),
        Claim(
            "hot–hot",
            "No node is on standby: in no schedule without faults does a node wait, neither because it has to, nor "
            "by looking again at what has not changed before it has tried anything.",
            "What each node has read since it last tried to write is remembered along every schedule.",
            checks.hot_hot, "polite", faults=False,
            remark="This is necessary, and not enough: a node that tries and always comes too late passes as well. A "
            "wait for input does not count.",
        ),
        Claim(
            "lock-free",
            "Whatever becomes of the others, and however they are scheduled, some node makes progress.",
            "Every incarnation, left alone at any moment, ends, or waits for input; every loop of steps is found.",
            checks.lock_free, "reserving",
            remark="The nodes make finitely many calls, so that within the bounds this is wait-free as well.",
        ),
        Claim(
            "deadlock-free",
            "There is always a node that can take a step, until all have ended.",
            "Every state in which a node has not ended is asked for a step without a fault.",
            checks.deadlock_free, "two locks", follows=("lock-free",),
            because="In a deadlock no node can take a step, so one that has not ended never ends if it is left alone "
            "there. No twin waits for input, since the hours are all there, and the database's node does so only "
            "while a twin has not ended. So some twin waits for another: that is not lock-free.",
        ),
        Claim(
            "race-free",
            "Nobody writes over what it has not seen: what a step changes was not changed by another since its node "
            "last read it.",
            "For each node it is remembered along every schedule which cells others have changed since it read them.",
            checks.race_free, "hint overwritten", faults=False,
            remark="It holds by construction where every write is a versioned compare-and-swap: one that succeeds "
            "has named the version that is there, so nobody has written since.",
        ),
        Claim(
            "hard stop",
            "All nodes die at once, at any step; their next incarnations finish, and all is right.",
            "From each state all incarnations are replaced by new ones, and all their schedules are explored.",
            checks.hard_stop, "poison", faults=False, bounds="all nodes die once, at any step",
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
            checks.no_failover, "restoring", faults=False, bounds="all others stop for good, at any step",
        ),
        Claim(
            "no downtime",
            "Only a crash takes a node out: no incarnation ends before all is done, whatever answer is lost or late.",
            "In every state with an incarnation that has ended, or that a lost answer can end, all has to be done.",
            checks.no_downtime, "giving up",
        ),
        Claim(
            "atomic",
            "Who observes one store, as a whole and again and again, sees a run of one node without faults grow: "
            "only what it shows, in its order, and nothing is taken back.",
            "Before and after every step the queues together, the machine and the database are compared with those "
            "of such runs.",
            checks.atomic, "draft first", another="takes back",
        ),
    )
}  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """The result of one check of one handler: whether the claim holds, a sentence, the bounds, the number of states.

    `schedule` is the simplest one that breaks the claim. Where the claim holds, it is a schedule that illustrates the
    claim, if there is one. `numbers` are the numbers that the check computed, such as k.
    """

    holds: bool
    says: str
    bounds: str
    states: int
    schedule: Counterexample | None = None
    numbers: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Row:
    """One row of the table: a claim, and the findings of its check for the handler and for each mutant.

    `second` is the finding for the handler with two outputs and the database; None if that was not checked.
    """

    claim: Claim
    finding: Finding
    mutants: Mapping[str, Finding]
    second: Finding | None = None

    @property
    def holds(self) -> bool:
        """Whether the claim holds within the bounds, of all handlers that were asked."""
        return self.finding.holds and (self.second is None or self.second.holds)

    @property
    def of_mutant(self) -> Finding | None:
        """The finding of the check for the claim's own mutant; None when that was not asked."""
        return self.mutants.get(self.claim.mutant)

    def counterexample(self, mutant: str | None = None) -> Counterexample:
        """Return the simplest schedule on which a mutant breaks this claim; of its own mutant, if none is named.

        Raises `BadInput` for a mutant that is not in the table, or that this check did not find.
        """
        if not self.mutants:
            raise BadInput("No mutant was asked for; call claims() without mutants=False.")
        name = self.claim.mutant if mutant is None else one_of("the mutant", mutant, self.mutants)
        found = self.mutants[name].schedule
        if self.mutants[name].holds or found is None:
            raise BadInput(f"The check of {self.claim.name!r} finds nothing wrong with {name!r}.")
        return found

    def example(self) -> Counterexample:
        """Return the check's schedule of the handler itself: the one that breaks the claim, or shows it at work."""
        if self.finding.schedule is None:
            raise BadInput(
                f"The check of {self.claim.name!r} has no single schedule to show: it is about all of them."
            )
        return self.finding.schedule


@dataclass(frozen=True)
class Claims(Mapping[str, Row]):
    """The rows, by name of the claim, for so many nodes and hours of input.

    `handler` says in words which handler was asked, `second` which other one, "" for none. `seconds` it took;
    `stopped` is why it is not complete, "" when it is.
    """

    rows: Mapping[str, Row]
    nodes: int
    hours: int
    seconds: float
    stopped: str = ""
    handler: str = FIRST
    second: str = ""

    def __getitem__(self, name: str) -> Row:
        return self.rows[one_of("the claim", name, self.rows)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def ok(self) -> bool:
        """True when every claim holds."""
        return not self.stopped and all(row.holds for row in self.rows.values())

    @property
    def mutants(self) -> list[str]:
        """The names of the mutants that were asked, in the order of their claims."""
        return list(next(iter(self.rows.values())).mutants) if self.rows else []

    def found_by(self, mutant: str) -> list[str]:
        """Return the claims that a mutant breaks."""
        return [name for name, row in self.rows.items() if not row.mutants[mutant].holds]


def claims(
    nodes: int = 2,
    items: int = 2,
    *,
    handler: Handler | None = None,
    mutants: bool = True,
    faults: Sequence[tuple[str, ...]] | None = None,
    mutants_faults: Sequence[tuple[str, ...]] | None = None,
    progress: Callable[[int, int, str], object] | None = None,
    stopped: Callable[[], object] | None = None,
) -> Claims:
    """Check every claim of the lock-free handler on so many nodes and hours of input. Returns `Claims`.

    `handler` is one that `general` returned; without it the usual one is asked, which adds up the readings and sends
    each total, and over one hour a second one, which has two outputs and the database beside it. With `mutants` every
    check is asked of every mutant, too, which are mutants of the usual one. `faults` are the faults of the handler's
    schedules: those of each tuple in turn, by the names that `prove` has for them, may all strike, each as often as
    it is named; by default each kind once, and as many crashes as there are nodes. `mutants_faults` are those of the
    mutants' schedules and of the second handler's; by default the same without pauses and late requests.
    `progress(done, of, name)` is called before each handler; without it a line is printed for each. `stopped()` may
    end the work: the table holds the findings so far.

    Raises `BadInput` for bounds that make no sense, and for a handler that `general` did not make;
    `IdealFailed` for one that fails when nothing goes wrong.
    """
    whole("the number of nodes", nodes, least=1)
    whole("the number of items", items, least=1)
    faults = faults_of(nodes) if faults is None else faults
    beside = for_mutants(nodes + 1) if mutants_faults is None else mutants_faults  # there is a node of the database
    mutants_faults = for_mutants(nodes) if mutants_faults is None else mutants_faults
    for wanted in (faults, mutants_faults):
        if not isinstance(wanted, (tuple, list)) or not all(isinstance(names, (tuple, list)) for names in wanted):
            raise BadInput(f"The faults are {wanted!r}; give a list of tuples, such as [('crashes',), ('pauses',)].")
        for name in (name for names in wanted for name in names):
            one_of("the kind of fault", name, KINDS)
    given = general(totals) if handler is None else handler
    if not callable(given) or program_of(given, Job(items=items)).machine is None:
        raise BadInput(f"The handler is {given!r}; give one that general(function) returns.")
    begun, why = time.perf_counter(), ""
    ideal_outcomes(given, Job(items=items))  # of one that fails by itself nothing is to be found
    usual = handler is None
    asked = ["the handler", *["the second handler"] * usual, *(MUTANTS if mutants and usual else ())]
    found: dict[str, dict[str, Finding]] = {}
    try:
        for done, name in enumerate(asked):
            if progress:
                progress(done, len(asked), name)
            one, right, hours, struck = given, given, items, faults
            if name == "the second handler":
                one = right = beside_a_database(nodes)
                hours, struck = min(items, SECOND_ITEMS), beside
            elif done:
                mutant = MUTANTS[name]
                one, right, struck = mutant.handler, general(mutant.function), mutants_faults
                hours = min(items, mutant.most_items)
            if progress is None:
                print(f"{done + 1} of {len(asked)}, {name}: ", end="", flush=True)
            found[name] = findings(one, Ideal.of(right, hours), nodes, hours, struck, stopped)
            if progress is None:
                hold = sum(finding.holds for finding in found[name].values())
                print(f"{hold} of {len(found[name])} checks hold", flush=True)
    except Stopped as reason:
        why = str(reason)
        if progress is None:
            print(f"stopped. {why}", flush=True)
    first, second = found.pop("the handler", {}), found.pop("the second handler", {})
    rows = {
        name: Row(CLAIMS[name], finding, {mutant: of[name] for mutant, of in found.items()}, second.get(name))
        for name, finding in first.items()
    }
    if progress:
        progress(len(asked), len(asked), "")
    return Claims(
        rows, nodes, items, time.perf_counter() - begun, why, FIRST if usual else f"{given.__name__!r}, your own",
        SECOND if second else "",
    )  # fmt: skip


def findings(
    handler: Handler | Sequence[Any],
    ideal: Ideal,
    nodes: int,
    items: int,
    faults: Sequence[tuple[str, ...]],
    stopped: Callable[[], object] | None = None,
    only: Sequence[str] = tuple(CLAIMS),
) -> dict[str, Finding]:
    """Return the findings of the checks for one handler, by name of the claim; `only` names the claims.

    `handler` may be a list with one for each node, as in `Schedules`.
    """
    schedules = Schedules(handler, nodes, items, faults, stopped)
    try:
        return {name: _finding(CLAIMS[name], schedules, ideal) for name in only}
    finally:
        schedules.close()


def _finding(claim, schedules, ideal):
    checked = claim.check(schedules, *([ideal] if claim.name in WITH_ITS_IDEAL else []))
    example = checked.example and checked.example()
    states = schedules.states if claim.faults else checked.states or len(schedules.graph.edges)
    counts = str(schedules.bounds()).removesuffix(", no fault")
    return Finding(
        checked.holds, checked.says, f"{counts}; {_faults(schedules) if claim.faults else claim.bounds}", states,
        example, checked.numbers,
    )  # fmt: skip


def _faults(schedules):
    """Return in words which faults strike, such as "no fault, or one crash, or one pause"."""
    struck = [str(schedules.bounds(faults)).split(", ", 2)[2] for faults in schedules.faults]
    return ", or ".join(["no fault", *(" and ".join(one.split(", ")) for one in struck)])
