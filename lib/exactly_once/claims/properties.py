"""The properties of the lock-free handler: each is asked of all schedules, and finds the simplest against it.

`exactly_once`, `atomic` and `hard_stop` look at what the stores hold, `heterogeneous`, `concurrent`, `hot_hot` and
`race_free` at single steps, `lock_free`, `deadlock_free`, `no_failover` and `no_downtime` at how nodes go on.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from ..explore.model.states import BEGINNING
from ..explore.model.store_contents import UNKNOWN, is_inputs
from ..explore.model.transitions import GOING
from ..explore.proof import Counterexample
from ..node.world import QUEUES
from ..simulate.decision import CRASH, LATE_REQUEST, LOST_REPLY, LOST_REQUEST, NETWORK, Decision
from ..stores.codec import decode
from ..stores.operations import OPERATIONS
from .schedules import Schedules, reachable

NEVER = float("inf")
LOSSES = (LOST_REQUEST, LOST_REPLY, LATE_REQUEST)


@dataclass
class Checked:
    """The result of a check: whether the property holds, and a sentence on it.

    `example` is the simplest schedule that breaks the property, or one that shows it at work, if there is one.
    `states` are those that were looked at, where they are not those of the searches.
    """

    holds: bool
    says: str
    example: Counterexample | None = None
    states: int | None = None


def broken(
    schedules: Schedules, schedule: list[Decision], says: str, kind: str = "invariant", loop: int = 0
) -> Checked:
    """Return the result for a schedule that breaks a property."""
    return Checked(False, says, schedules.counterexample(schedule, says, kind, loop))


def never_a_state(schedules: Schedules, wrong: Callable, right: str, kind: str = "invariant") -> Checked:
    """Check that `wrong(state)`, a sentence or "", is "" in every state of all schedules."""
    for faults in schedules.faults:
        if any(map(wrong, schedules.within(faults).states)):
            schedule, state = schedules.simplest(faults, wrong)
            return broken(schedules, schedule, wrong(state), kind)
    return Checked(True, right)


def never_a_step(schedules: Schedules, wrong: Callable, right: str) -> Checked:
    """Check that `wrong(store state, local state, actor, transition)`, a sentence or "", is "" for every step."""

    def watch(said, core, actor, transition):
        said = wrong(core[0], None if actor == NETWORK else core[2][actor], actor, transition)
        found.append(said)
        return None if said else ""

    for faults in schedules.faults:
        if any(wrong(*step) for step in schedules.steps(faults)):
            found: list[str] = []  # what was said, "" or None for most steps
            schedule, _ = schedules.simplest(faults, watch=watch)
            return broken(schedules, schedule, next(filter(None, found)))
    return Checked(True, right)


def never_a_way(schedules: Schedules, watch: Callable, wrong: str, right: str) -> Checked:
    """Check that on no way without faults `watch(memory of each node, state, actor, transition)` returns None."""
    memory = (frozenset(),) * schedules.nodes
    if not schedules.watched(watch, memory):
        return Checked(True, right)
    return broken(schedules, schedules.simplest(watch=watch, memory=memory)[0], wrong)


# What the stores hold: at the end, at every moment, and after all nodes have died at once.


def exactly_once(schedules: Schedules) -> Checked:
    """At the end of every run, output, state, positions and database together are those of a run of one node."""

    def complaint(state):
        return schedules.ended(state[3]) and schedules.ideal.complaint(schedules.moment(state[0]))

    return never_a_state(schedules, complaint, "Every run ends as one of a single node without faults.")


def atomic(schedules: Schedules) -> Checked:
    """Each store, as a whole, goes only through contents of such a run, and only forward in their order."""

    @functools.cache
    def surprise(before, after):
        return schedules.ideal.surprise(schedules.moment(before), schedules.moment(after))

    def surprises(before, local, actor, transition):
        return before != transition.store_state and surprise(before, transition.store_state)

    return never_a_step(schedules, surprises, "Whoever reads one store, again and again, sees such a run grow.")


def hard_stop(schedules: Schedules) -> Checked:
    """All nodes die at once, at any moment: every run of their next incarnations ends, and ends right."""
    stops = _hard_stops(schedules)
    edges, before = schedules.graph_from(stops), defaultdict(list)
    for core, steps in edges.items():
        for *_, after in steps:
            before[after].append(core)
    ends = [core for core in edges if schedules.ended(core[2])]
    said = {core: schedules.ideal.complaint(schedules.moment(core[0])) for core in ends}
    said |= dict.fromkeys(edges.keys() - reachable(ends, before.__getitem__), "The next incarnations never finish.")
    if not any(said.values()):
        right = f"After each of {len(stops):,} different hard stops the next incarnations finish, and all is right."
        return Checked(True, right, states=len(edges))
    came: dict = dict.fromkeys(stops)  # where each state comes from, with the fewest steps after the hard stop
    for last in (waiting := list(stops)):
        if said.get(last):
            break
        for actor, transition, after in edges[last]:
            if after not in came:
                came[after] = last, Decision(actor, transition.kind, transition.option)
                waiting.append(after)
    core, schedule = last, []
    while came[core] is not None:
        core, decision = came[core]
        schedule.insert(0, decision)
    (store_state, _, locals_), going = stops[core]
    reached, _ = schedules.simplest(wrong=lambda state: (state[0], state[3]) == (store_state, locals_))
    schedule = [*reached, *(Decision(actor, CRASH) for actor in going), *schedule]
    example = schedules.counterexample(schedule, f"All nodes die at once. {said[last]}")
    return Checked(False, example.sentence, example, len(edges))


def _hard_stops(schedules):
    """Return {state after all nodes died at once: (the state before, the actors that died)}, over all moments."""
    found: dict = {}
    for core in schedules.graph:
        after, budget, locals_ = core
        going = schedules.going(locals_)
        fresh = list(locals_)
        for actor in going:
            after = schedules.contents.free(after, actor)
            fresh[actor] = schedules.automaton.starts[schedules.automaton.states[locals_[actor]].program]
        if going:
            found.setdefault((after, budget, tuple(fresh)), (core, going))
    return found


# Single steps: the stores that they touch, the nodes that take them, waits, and overwritten values.


def heterogeneous(schedules: Schedules) -> Checked:
    """Each step reads or writes parts of one store alone: the machine's, the queues', the database's, or the inputs'.

    The claim is about the parts that may lie in stores that share nothing, not about their present place.
    """

    @functools.cache
    def touches_two(operation):
        owners = sorted(_owners(schedules, operation))
        touched = " and ".join(owners)
        return f"One step touches {touched}, so they have to be in one store." if len(owners) > 1 else ""

    def across(before, local, actor, transition):
        state = local is not None and schedules.automaton.states[local]
        return state and state.kind == "store" and touches_two(state.operation)

    return never_a_step(schedules, across, "No step touches two of machine, queues, database and inputs.")


def _owners(schedules, number):
    store, part, verb, text = schedules.contents.operations[number]
    if verb not in OPERATIONS:
        return set()
    if is_inputs(store, part):
        return {"the inputs"}
    machine = schedules.machine
    return {
        "the machine" if (store, name) == machine else "the queues" if store == QUEUES else f"the store {store}"
        for _, name in OPERATIONS[verb].places(part, decode(text))
    }


def concurrent(schedules: Schedules) -> Checked:
    """There is a schedule without faults in which every twin makes a transition of the machine."""
    twins = {node for node, one in enumerate(schedules.programs) if one.machine == schedules.machine}

    def watch(moved, core, actor, transition):
        effect = schedules.effect(core[0], core[2][actor], actor, transition.store_state)
        moved |= {actor} if effect and schedules.machine in effect.changes else set()
        return None if moved >= twins else moved

    if schedules.watched(watch, frozenset()):
        schedule, _ = schedules.simplest(watch=watch, memory=frozenset())
        said = "In this schedule all nodes have made a transition."
        right = "There is a schedule in which all nodes make transitions."
        return Checked(True, right, schedules.counterexample(schedule, said))
    schedule, _ = schedules.simplest(wrong=lambda state: schedules.ended(state[3]))
    return broken(schedules, schedule, "In no schedule without faults do all nodes make a transition.")


def hot_hot(schedules: Schedules) -> Checked:
    """Without faults no node ever waits: none has to, nor looks twice at what has not changed before it tries.

    A wait for input does not count. This is necessary for a system without standby nodes, and not sufficient: a node
    that tries, and always comes too late, passes.
    """
    waits, waits_for_input = schedules.transitions.waits, schedules.transitions.waits_for_input

    def watch(looks, core, actor, transition):
        store_state, _, locals_ = core
        for one in schedules.going(locals_):
            if waits(store_state, locals_[one], one) and not waits_for_input(store_state, locals_[one], one):
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


def race_free(schedules: Schedules) -> Checked:
    """A step only changes cells that have not changed since its incarnation last read them.

    Where every write is a versioned compare-and-swap this holds by construction, and the result says so.
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

    found = never_a_way(
        schedules,
        watch,
        "A step writes over what another has written since its node last looked.",
        "No step changes what another has changed since its node last looked.",
    )
    if found.holds and all(map(_compares_versions, schedules.contents.operations.values)):
        found.says += " By construction: every write to a cell is a versioned compare-and-swap."
    return found


def _compares_versions(operation):
    """Tell whether an operation, as `Contents` has it, writes to cells by versioned compare-and-swap, if at all."""
    _, _, verb, text = operation
    if verb not in OPERATIONS or OPERATIONS[verb].kind != "cell" or OPERATIONS[verb].reads:
        return True
    if verb == "transact":
        verbs = {asked for _, asked, *_ in decode(text)[0]}
        return not {one for one in verbs if OPERATIONS[one].kind == "cell"} - {"cas"}
    return verb == "cas"


# How nodes go on: with any fate of the others, how soon, and that only a crash ends one.


def lock_free(schedules: Schedules) -> Checked:
    """Alone from any moment on, each incarnation ends; and no schedule goes on for ever without progress."""
    for faults in schedules.faults:
        if found := schedules.liveness(faults).violation:
            said = "Nodes can loop for ever, and nothing gets done."
            if found.kind == "blocked":
                said = "A node, left alone, never ends: it waits for another."
            return broken(schedules, found.schedule, said, found.kind, found.loop)
    return Checked(True, "Whatever becomes of the others, a node makes progress.")


def deadlock_free(schedules: Schedules) -> Checked:
    """In no state are there nodes that have not ended, and none that can take a step."""

    def stuck(state):
        going = schedules.going(state[3])
        waits = all(schedules.transitions.waits(state[0], state[3][actor], actor) for actor in going)
        return waits and any(actor < schedules.nodes for actor in going) and wrong

    wrong = "No node can take a step, and they have not ended: each waits for another."
    return never_a_state(schedules, stuck, "Somebody can always take a step, until all have ended.", "deadlock")


def no_downtime(schedules: Schedules) -> Checked:
    """Only a crash ends an incarnation that still has work: no unknown outcome does, and no faster twin."""
    automaton = schedules.automaton

    def ends_early(before, local, actor, transition):
        if local is None:
            return ""
        lost = transition.kind in LOSSES and schedules.kind(automaton.next(local, UNKNOWN)) == "gave up"
        over = lost or schedules.kind(transition.local) in ("ended", "raised")
        return over and not schedules.done(transition.store_state) and wrong

    wrong = "An incarnation is over, though it did not crash, and there is more to do."
    return never_a_step(schedules, ends_early, "No incarnation ends but by a crash before all is done.")


def no_failover(schedules: Schedules) -> Checked:
    """Wherever all others stop for good, a node's next output takes at most k of its steps: 2 r at most.

    r are the steps that it takes at most for one output when it is alone from the beginning. So what it is in the
    middle of may be lost, and then it does one output's work: nothing is found out about the others, or restored. And
    no part is read that one other node alone ever writes: no node asks whether another one is alive.
    """
    if not (asked := _asks_nobody(schedules)).holds:
        return asked
    known: dict = {}

    def further(place):
        return [(one.store_state, one.local, place[2]) for one in schedules.transitions.fault_free(*place)]

    def steps(place):
        """Return the most steps from (store state, local state, actor) to the next output, or to the end, alone."""
        if place not in known:
            known[place] = NEVER  # if it comes back here, or has to wait
            over = schedules.kind(place[1]) not in GOING or schedules.transitions.waits_for_input(*place)
            sent = schedules.outputs(place[0])
            after = [1 + (schedules.outputs(one[0]) == sent and steps(one)) for one in further(place)]
            known[place] = 0 if over else max(after, default=NEVER)
        return known[place]

    places = [(core[0], local, actor) for core in schedules.graph for actor, local in enumerate(core[2])]
    starts = [(BEGINNING, local, actor) for actor, local in enumerate(schedules.automaton.starts)]
    longest = max(places, key=steps)
    k, r = steps(longest), max(map(steps, reachable(starts, further)))
    if k != NEVER and k <= 2 * r:
        return Checked(True, f"k = {k} steps, at most 2 r, where r = {r}.")
    said = f"A survivor's next output takes up to {k} steps, more than twice the {r} of a node alone."
    said = "A survivor's next output never comes." if k == NEVER else said
    schedule, _ = schedules.simplest(wrong=lambda state: (state[0], state[3][longest[2]]) == longest[:2])
    return broken(schedules, schedule, said)


def _asks_nobody(schedules):
    """Check that no node reads a part that one other node alone ever changes."""
    writers = defaultdict(set)
    for (store_state, _, locals_), steps in schedules.graph.items():
        for actor, transition, _ in steps:
            effect = schedules.effect(store_state, locals_[actor], actor, transition.store_state)
            for place in effect.changes if effect else ():
                writers[place].add(actor)

    def watch(memory, core, actor, transition):
        effect = schedules.effect(core[0], core[2][actor], actor, transition.store_state)
        asked = effect.places - {schedules.machine} if effect and effect.reads else ()
        return None if any(len(writers[place] | {actor}) > len(writers[place]) == 1 for place in asked) else memory

    wrong = "A node asks about another: it reads what that one alone writes."
    return never_a_way(schedules, watch, wrong, "No node asks about another.")
