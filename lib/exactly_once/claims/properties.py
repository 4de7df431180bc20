"""The claims about the lock-free handler: properties of all schedules, each with the mutants that break it.

The first paragraph of a property's docstring is the claim as the table has it, and the others are remarks on it. It
is checked in one of three ways: every state, every step, or every way. `claims` asks all claims of all handlers.
"""

from __future__ import annotations

import functools
import inspect
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ..explore.case import KINDS
from ..explore.model.automaton import GOING
from ..explore.model.states import BEGINNING
from ..explore.model.store_contents import UNKNOWN, is_inputs
from ..lockfree.general import general
from ..node.node import Handler
from ..node.world import QUEUES
from ..simulate.schedule import LATE_REQUEST, LOST_REPLY, LOST_REQUEST, NETWORK, Decision
from ..stores.codec import decode
from ..stores.operations import OPERATIONS
from . import mutants
from .found import SECOND, USUAL, Claims, Finding
from .schedules import Schedules, explored, ideal_of, reachable

NEVER = float("inf")
LOSSES = (LOST_REQUEST, LOST_REPLY, LATE_REQUEST)
NODES = 2
Faults: TypeAlias = Sequence[tuple[str, ...]]
SLOW = ("pauses", "late_requests")  # kinds of fault that only the usual handler is asked with


@dataclass(frozen=True)
class Claim:
    """One claim: its `check`, in words what it `means` and `how` it is checked, and `remarks` on it.

    Its mutant fails this check alone, unless the claim follows from others: then it is found by their checks, too.
    Unless `bounds` say what it is checked within, those are all kinds of faults, one kind at a time.
    """

    name: str
    mutant: mutants.Mutant
    check: Callable[[Schedules], Finding]
    means: str
    remarks: str
    how: str
    bounds: str = ""

    def found(self, schedules: Schedules) -> Finding:
        """Check the claim of all schedules of a handler."""
        found = self.check(schedules)
        (nodes, items, *_), *struck = (str(schedules.bounds(faults)).split(", ") for faults in schedules.faults)
        within = self.bounds or ", or ".join(["no fault", *(" and ".join(words) for _, _, *words in struck)])
        found.bounds = f"{nodes}, {items}; {within}"
        seen = sum(search.found.states for search in schedules.searches.values())
        found.states = found.states or (len(schedules.graph) if self.bounds else seen)
        return found


CLAIMS: dict[str, Claim] = {}


def claim(name: str, broken_by: mutants.Mutant, **more: Any) -> Callable[[Callable], Callable]:
    """Return a decorator that enters a property into the table of claims; `more` are the fields of `Claim`."""

    def enter(check):
        means, *remarks = (" ".join(one.split()) for one in inspect.getdoc(check).split("\n\n"))
        CLAIMS[name] = Claim(name, broken_by, check, means, " ".join(remarks), **more)
        return check

    return enter


def broken(
    schedules: Schedules, schedule: list[Decision], says: str, kind: str = "invariant", loop: int = 0
) -> Finding:
    """Return the result for a schedule that breaks a property."""
    return Finding(False, says, schedules.counterexample(schedule, says, kind, loop))


def never_a_state(
    schedules: Schedules, wrong: Callable, right: str, kind: str = "invariant", among: Faults | None = None
) -> Finding:
    """Check that `wrong(state)`, a sentence or "", is "" in every state of all schedules, or `among` these."""
    for faults in among or schedules.faults:
        if any(map(wrong, schedules.within(faults).states)):
            schedule, state = schedules.simplest(faults, wrong)
            return broken(schedules, schedule, wrong(state), kind)
    return Finding(True, right)


def never_a_step(schedules: Schedules, wrong: Callable, right: str) -> Finding:
    """Check that `wrong(store state, local state, actor, transition)`, a sentence or "", is "" for every step."""

    def watch(said, core, actor, transition):
        return wrong(core[0], None if actor == NETWORK else core[2][actor], actor, transition) or ""

    for faults in schedules.faults:
        if any(wrong(*step) for step in schedules.steps(faults)):
            schedule, state = schedules.simplest(faults, lambda state: state[-1], watch)
            return broken(schedules, schedule, state[-1])
    return Finding(True, right)


def never_a_way(schedules: Schedules, watch: Callable, wrong: str, right: str) -> Finding:
    """Check that on no way without faults `watch(memory of each node, state, actor, transition)` returns None."""
    memory = (frozenset(),) * schedules.nodes
    if not schedules.watched(watch, memory):
        return Finding(True, right)
    return broken(schedules, schedules.simplest(watch=watch, memory=memory)[0], wrong)


@claim(
    "exactly-once",
    mutants.no_answer_is_taken_for_done,
    how="The end of every schedule is compared with the ends of such runs.",
)
def exactly_once(schedules: Schedules, among: Faults | None = None) -> Finding:
    """When all nodes have ended, queues, state, positions and database together are what one node leaves that runs
    alone without faults."""

    def complaint(state):
        return schedules.ended(state[3]) and schedules.ideal.complaint(schedules.moment(state[0]))

    right = "Every run ends as one of a single node without faults."
    return never_a_state(schedules, complaint, right, among=among)


@claim(
    "heterogeneous",
    mutants.one_transaction,
    how="Of every operation that any incarnation asks for, it is looked up whose parts it reads or writes.",
)
def heterogeneous(schedules: Schedules) -> Finding:
    """No step touches two stores, so machine, queues, database and inputs may lie in stores that share nothing.

    It is about the parts that may lie in such stores, and not about their present place.
    """

    @functools.cache
    def touches_two(operation):
        store, part, verb, text = schedules.contents.operations[operation]
        if verb not in OPERATIONS or is_inputs(store, part):
            return ""
        touched = sorted({
            "the machine" if (store, name) == schedules.machine else
            "the queues" if store == QUEUES else f"the store {store}"
            for _, name in OPERATIONS[verb].places(part, decode(text))
        })  # fmt: skip
        said = f"One step touches {' and '.join(touched)}, so they have to be in one store."
        return said if len(touched) > 1 else ""

    def across(before, local, actor, transition):
        state = local is not None and schedules.automaton.states[local]
        return state and state.kind == "store" and touches_two(state.operation)

    return never_a_step(schedules, across, "No step touches two of machine, queues, database and inputs.")


@claim(
    "concurrent",
    mutants.two_locks,
    how="Such a schedule is searched for.",
    bounds="no fault",
)
def concurrent(schedules: Schedules) -> Finding:
    """Several nodes work on the same inputs: there is a schedule without faults in which every twin makes a
    transition of the machine.

    It follows from lock-free and no downtime. Let one node make the first transition, and leave another one alone
    then. It finishes (lock-free), and that is not before all is done (no downtime), so it makes the rest of them.
    """
    twins = {node for node, one in enumerate(schedules.programs) if one.machine == schedules.machine}

    def watch(moved, core, actor, transition):
        effect = schedules.effect(core[0], core[2][actor], actor, transition.store_state)
        moved |= {actor} if effect and schedules.machine in effect.changes else set()
        return None if moved >= twins else moved

    if schedules.watched(watch, frozenset()):
        return Finding(True, "There is a schedule in which all nodes make transitions.")
    schedule, _ = schedules.simplest(wrong=lambda state: schedules.ended(state[3]))
    return broken(schedules, schedule, "In no schedule without faults do all nodes make a transition.")


@claim(
    "hot–hot",
    mutants.polite,
    how="What each node has read since it last tried to write is remembered along every schedule.",
    bounds="no fault",
)
def hot_hot(schedules: Schedules) -> Finding:
    """No node is on standby: in no schedule without faults does a node wait, neither because it has to, nor by
    looking again at what has not changed before it has tried anything.

    This is necessary, and not enough: a node that tries and always comes too late passes as well. A wait for input
    does not count.
    """
    usual = schedules.within().transitions

    def watch(looks, core, actor, transition):
        store_state, _, locals_ = core
        for one in schedules.going(locals_):
            place = store_state, locals_[one], one
            if usual.waits(*place) and not usual.waits_for_input(*place):
                return None
        effect = schedules.effect(store_state, locals_[actor], actor, transition.store_state)
        if effect is None:
            return looks
        if effect.reads and effect.look in looks[actor]:
            return None
        seen = looks[actor] | {effect.look} if effect.reads else frozenset()
        return *looks[:actor], seen, *looks[actor + 1 :]

    return never_a_way(
        schedules,
        watch,
        "A node waits: it has to, or looks again at what it has seen, and has tried nothing in between.",
        "No node waits in any schedule without faults.",
    )


@claim(
    "lock-free",
    mutants.reserving,
    how="Every incarnation, left alone at any moment, ends, or waits for input; every loop of steps is found.",
)
def lock_free(schedules: Schedules) -> Finding:
    """Whatever becomes of the others, and however they are scheduled, some node makes progress.

    The nodes make finitely many calls, so that within the bounds this is wait-free as well.
    """
    for faults in schedules.faults:
        progress = schedules.liveness(faults)
        if found := progress.breaking or progress.hindering:
            blocked = "A node, left alone, never ends: it waits for another."
            said = blocked if found.kind == "blocked" else "Nodes can loop for ever, and nothing gets done."
            return broken(schedules, found.schedule, said, found.kind, found.loop)
    return Finding(True, "Whatever becomes of the others, a node makes progress.")


@claim(
    "deadlock-free",
    mutants.two_locks,
    how="Every state in which a node has not ended is asked for a step without a fault.",
)
def deadlock_free(schedules: Schedules) -> Finding:
    """There is always a node that can take a step, until all have ended.

    It follows from lock-free. In a deadlock no node can take a step, so one that has not ended never ends if it is
    left alone there. No twin waits for input, since the hours are all there, and the database's node does so only
    while a twin has not ended. So some twin waits for another: that is not lock-free.
    """

    def stuck(state):
        going = schedules.going(state[3])
        waits = all(schedules.within().transitions.waits(state[0], state[3][actor], actor) for actor in going)
        return waits and any(actor < schedules.nodes for actor in going) and wrong

    wrong = "No node can take a step, and they have not ended: each waits for another."
    return never_a_state(schedules, stuck, "Somebody can always take a step, until all have ended.", "deadlock")


@claim(
    "race-free",
    mutants.hint_overwritten,
    how="For each node it is remembered along every schedule which cells others have changed since it read them.",
    bounds="no fault",
)
def race_free(schedules: Schedules) -> Finding:
    """Nobody writes over what it has not seen: what a step changes was not changed by another since its node last
    read it.

    It holds by construction where every write is a versioned compare-and-swap: one that succeeds has named the
    version that is there, so nobody has written since.
    """

    def watch(stale, core, actor, transition):
        local = core[2][actor]
        effect = schedules.effect(core[0], local, actor, transition.store_state)
        if effect is None or OPERATIONS[schedules.contents.operations[effect.look[0]][2]].kind != "cell":
            return stale  # only in a cell can something be written over
        if effect.changes & stale[actor]:
            return None
        return tuple(
            cells - effect.places if one == actor and (effect.reads or effect.changes) else cells | effect.changes
            for one, cells in enumerate(stale)
        )

    return never_a_way(
        schedules,
        watch,
        "A step writes over what another has written since its node last looked.",
        "No step changes what another has changed since its node last looked.",
    )


@claim(
    "hard stop",
    mutants.leaves_to_its_twin,
    how="Of the schedules with as many crashes as nodes, each end is compared, and each incarnation left alone.",
    bounds="all nodes die, at any step",
)
def hard_stop(schedules: Schedules) -> Finding:
    """All nodes die, at once or one after the other, at any step. The next incarnations finish, and all is right.

    It follows from exactly-once and lock-free, which look at as many crashes, too.
    """
    crashes = ("crashes",) * schedules.nodes
    found, progress = exactly_once(schedules, [crashes]), schedules.liveness(crashes)
    for one in (progress.breaking, progress.hindering):
        if found.holds and one and one.kind == "blocked":
            found = broken(schedules, one.schedule, "A next incarnation, left alone, never ends.", one.kind, one.loop)
    if found.holds:
        found.says = "After each hard stop the next incarnations finish, and all is right."
    found.states = schedules.within(crashes).found.states
    return found


@claim(
    "no failover",
    mutants.restoring,
    how="The longest way of each incarnation, alone, to the next output is computed from every state.",
    bounds="all others stop for good, at any step",
)
def no_failover(schedules: Schedules) -> Finding:
    """Wherever the others stop for good, a node's next output takes at most k of its steps, which is at most twice r,
    the most that one node alone takes for an output.

    So what a node is in the middle of may be lost, and then it does one output's work: nothing is restored. That no
    node waits until it finds another dead is hot–hot.
    """
    known, usual = dict[Any, float](), schedules.within().transitions

    def further(place):
        return [(one.store_state, one.local, place[2]) for one in usual.fault_free(*place)]

    def steps(place):
        """Return the most steps from (store state, local state, actor) to the next output, or to the end, alone."""
        if place not in known:
            known[place] = NEVER  # if it comes back here, or has to wait
            over = schedules.automaton.states[place[1]].kind not in GOING or usual.waits_for_input(*place)
            sent = schedules.outputs(place[0])
            after = [1 + (schedules.outputs(one[0]) == sent and steps(one)) for one in further(place)]
            known[place] = 0 if over else max(after, default=NEVER)
        return known[place]

    places = [(core[0], local, actor) for core in schedules.graph for actor, local in enumerate(core[2])]
    starts = [(BEGINNING, local, actor) for actor, local in enumerate(schedules.automaton.starts)]
    longest = max(places, key=steps)
    k, r = steps(longest), max(map(steps, reachable(starts, further)))
    if k != NEVER and k <= 2 * r:
        return Finding(True, f"k = {k} steps, at most 2 r, where r = {r}.")
    said = f"A survivor's next output takes up to {k} steps, more than twice the {r} of a node alone."
    said = "A survivor's next output never comes." if k == NEVER else said
    schedule, _ = schedules.simplest(wrong=lambda state: (state[0], state[3][longest[2]]) == longest[:2])
    return broken(schedules, schedule, said)


@claim(
    "no downtime",
    mutants.giving_up,
    how="In every state with an incarnation that has ended, or that a lost answer can end, all has to be done.",
)
def no_downtime(schedules: Schedules) -> Finding:
    """Only a crash takes a node out: no incarnation ends before all is done, whatever answer is lost or late."""
    automaton = schedules.automaton

    def ends_early(before, local, actor, transition):
        if local is None:
            return ""
        lost = transition.kind in LOSSES and automaton.states[automaton.next(local, UNKNOWN)].kind == "gave up"
        over = lost or automaton.states[transition.local].kind in ("ended", "raised")
        return over and not schedules.done(transition.store_state) and wrong

    wrong = "An incarnation is over, though it did not crash, and there is more to do."
    return never_a_step(schedules, ends_early, "No incarnation ends but by a crash before all is done.")


@claim(
    "atomic",
    mutants.takes_back,
    how="Before and after every step the queues together, the machine and the database are compared with those of "
    "such runs.",
)
def atomic(schedules: Schedules) -> Finding:
    """Who observes one store, as a whole and again and again, sees a run of one node without faults grow: only what
    it shows, in its order, and nothing is taken back.
    """

    @functools.cache
    def surprise(before, after):
        return schedules.ideal.surprise(schedules.moment(before), schedules.moment(after))

    def surprises(before, local, actor, transition):
        return before != transition.store_state and surprise(before, transition.store_state)

    return never_a_step(schedules, surprises, "Whoever reads one store, again and again, sees such a run grow.")


def faults_of(nodes: int, but: Sequence[str] = ()) -> tuple[tuple[str, ...], ...]:
    """Return the faults that the checks look at: each kind once, and as many crashes as there are nodes."""
    return tuple((kind,) * (nodes if kind == "crashes" else 1) for kind in KINDS if kind not in but)


def claims() -> Claims:
    """Check every claim of the lock-free handler on two nodes and two hours of input. Returns `Claims`.

    The usual handler is asked, which adds up the readings and sends each total; over one hour a second one, which has
    two outputs and the database beside it; and every mutant. Each kind of fault strikes once, and as many crashes as
    there are nodes; pauses and late requests strike the usual handler alone. A line is printed for each handler.

    Raises `CourseError` where there are too many states.
    """
    begun, found, few = time.perf_counter(), {}, faults_of(NODES, but=SLOW)
    usual, second = general(mutants.totals), mutants.beside_a_database(NODES)
    asked: dict[str, tuple[Any, Any, int, Faults]] = {
        USUAL: (usual, usual, mutants.ITEMS, faults_of(NODES)),
        SECOND: (second, second, 1, faults_of(NODES + 1, but=SLOW)),  # one is the database's
    }
    for one in (each.mutant for each in CLAIMS.values()):
        asked[one.name] = one.handler, general(one.function), one.items, few
    for number, (name, (handler, right, items, faults)) in enumerate(asked.items(), 1):
        print(f"{number} of {len(asked)}, {name}: ", end="", flush=True)
        found[name] = findings(handler, right, NODES, items, faults)
        hold = sum(finding.holds for finding in found[name].values())
        print(f"{hold} of {len(found[name])} checks hold", flush=True)
    return Claims(found, time.perf_counter() - begun)


def findings(
    handler: Handler | Sequence[Any],
    right: Handler | Sequence[Any],
    nodes: int,
    items: int,
    faults: Faults,
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
        return {name: CLAIMS[name].found(schedules) for name in only}

    return explored(ask, handlers, len(handlers) if len(handlers) > 1 else nodes, items, faults)
