"""Check the progress of nodes: with any fate of the others, how soon, and that only a crash ends a node."""

from __future__ import annotations

import functools

from ...explore.bounds import cost_of
from ...explore.model.store_contents import UNKNOWN
from ...explore.model.transitions import GOING
from ...node.parts import named_part
from ...simulate.decision import LATE_REQUEST, LOST_REPLY, LOST_REQUEST, STEP, Decision
from ..schedules import Schedules
from .checked import Checked

NEVER = float("inf")
LOSSES = {"lost_requests": LOST_REQUEST, "lost_replies": LOST_REPLY, "late_requests": LATE_REQUEST}


def lock_free(schedules: Schedules) -> Checked:
    """Alone from any moment on, each incarnation ends; and no schedule goes on for ever without progress."""
    found = (schedules.liveness(faults).violation for faults, _ in schedules.searches())
    violation = next(filter(None, found), None)
    if violation is None:
        return Checked(True, "Whatever becomes of the others, a node makes progress.")
    said = "Nodes can loop for ever, and nothing gets done."
    if violation.kind == "blocked":
        said = "A node, left alone, never ends: it waits for another."
    return Checked(
        False,
        said,
        lambda: schedules.counterexample(violation.schedule, said, violation.kind, violation.loop),
    )


def deadlock_free(schedules: Schedules) -> Checked:
    """In no state are there nodes that have not ended, and none that can take a step."""

    def stuck(state):
        store_state, _, _, locals_ = state
        going = [one for one, local in enumerate(locals_) if schedules.kind(local) in GOING]
        return any(one < schedules.nodes for one in going) and not any(
            schedules.transitions.fault_free(store_state, locals_[one], one) for one in going
        )

    said = "No node can take a step, and they have not ended: each waits for another."
    for faults, search in schedules.searches():
        blocking = any(map(schedules.transitions.blocking, range(len(schedules.automaton.states))))
        if blocking and any(map(stuck, search.states)):
            schedule = schedules.simplest(stuck, faults).violation.schedule
            return Checked(False, said, functools.partial(schedules.counterexample, schedule, said, "deadlock"))
    return Checked(True, "Somebody can always take a step, until all have ended.")


def no_failover(schedules: Schedules) -> Checked:
    """Wherever all others stop for good, a node's next output takes at most k of its steps: 2 r at most.

    r are the steps that it takes at most for one output when it is alone from the beginning. So what it is in the
    middle of may be lost, and then it does one output's work: nothing is found out about the others, or restored. And
    no part is read that one other node alone ever writes: no node asks whether another one is alive.
    """
    alone = _Alone(schedules)
    k, at = max(
        (
            (alone.steps(core[0], local, actor), (core, actor))
            for core in schedules.graph.edges
            for actor, local in enumerate(core[2])
        ),
        key=lambda one: one[0],
    )
    r, asked = alone.calm(), _asked_about(schedules)
    numbers = {} if NEVER in (k, r) else {"k": k, "r": r}
    if asked:
        said = f"A node asks about another: it reads {named_part(asked[1]) or asked[1]}, which that one alone writes."
        return Checked(False, said, lambda: schedules.counterexample(_asking(schedules, asked), said), numbers)
    if k == NEVER:
        said = "A survivor's next output never comes."
    elif k > 2 * r:
        said = f"A survivor's next output takes up to {k} steps, more than twice the {r} of a node alone."
    else:
        said = f"k = {k} steps, at most 2 r, where r = {r}."
    return Checked(k <= 2 * r and k != NEVER, said, lambda: _longest(schedules, alone, k, *at), numbers)


def _longest(schedules, alone, k, core, actor):
    """Return the schedule to the state from which a node's next output takes the longest, and its steps alone."""
    found = schedules.simplest(lambda state: (state[0], state[3]) == (core[0], core[2]))
    schedule = found.violation.schedule
    if k == NEVER:
        said = f"From here on node {actor + 1}, left alone, never comes to an output."
        return schedules.counterexample(schedule, said)
    said = f"The last {k} steps of this schedule are what node {actor + 1}, alone, takes for its next output."
    return schedules.counterexample([*schedule, *alone.path(core[0], core[2][actor], actor)], said)


def _asked_about(schedules):
    """Return (store, part) that some node reads, and that one other node alone ever changes; or None."""
    readers: dict = {}
    writers: dict = {}
    for (store_state, _, locals_), steps in schedules.graph.edges.items():
        for actor, transition, _ in steps:
            step = schedules.step(store_state, locals_[actor], actor, transition.store_state)
            for place in step.places if step else ():
                if place in step.changes:
                    writers.setdefault(place, set()).add(actor)
                elif step.reads:
                    readers.setdefault(place, set()).add(actor)
    alone = (place for place, who in sorted(writers.items()) if len(who) == 1 and readers.get(place, who) - who)
    return next((place for place in alone if place != schedules.machine), None)


def _asking(schedules, place):
    """Return the simplest schedule to a step that reads a part, with that step."""
    contents, states = schedules.contents, schedules.automaton.states

    def reads(local):
        return states[local].kind == "store" and contents.operations[states[local].operation][:3] == (*place, "read")

    found = schedules.simplest(lambda state: any(map(reads, state[3])))
    actor = next(actor for actor, local in enumerate(found.state[3]) if reads(local))
    return [*found.violation.schedule, Decision(actor, STEP)]


class _Alone:
    """A node that is left alone: how many steps it takes, at most, to its next output, or to its end."""

    def __init__(self, schedules):
        self.schedules, self._known = schedules, {}

    def steps(self, store_state, local, actor):
        """Return the most steps from here to the next output, to the end, or to a wait for input.

        They are `NEVER` when none of these may come.
        """
        key = store_state, local, actor
        if key not in self._known:
            self._known[key] = NEVER  # if it comes back here, or has to wait
            going = self.schedules.kind(local) in GOING
            going = going and not self.schedules.transitions.waits_for_input(store_state, local, actor)
            further = self._further(store_state, local, actor)
            self._known[key] = max((1 + rest for *_, rest in further), default=NEVER) if going else 0
        return self._known[key]

    def _further(self, store_state, local, actor):
        """Return the list of (transition, whether it makes an output, steps after it), one for each way to go on."""
        found = []
        before = self.schedules.outputs(store_state)
        for transition in self.schedules.transitions.fault_free(store_state, local, actor):
            output = self.schedules.outputs(transition.store_state) > before
            rest = 0 if output else self.steps(transition.store_state, transition.local, actor)
            found.append((transition, output, rest))
        return found

    def _longest(self, store_state, local, actor):
        """Yield the transitions of the longest way to the next output, or to the end."""
        output = False
        while not output and (further := self._further(store_state, local, actor)):
            transition, output, _ = max(further, key=lambda one: one[2])
            yield transition
            store_state, local = transition.store_state, transition.local

    def path(self, store_state, local, actor):
        """Return the decisions of the longest way to the next output."""
        found = self._longest(store_state, local, actor)
        return [Decision(actor, transition.kind, transition.option) for transition in found]

    def calm(self):
        """Return r: the most steps to an output, or to the end, of a node that is alone from the beginning."""
        most = 0
        for actor, local in enumerate(self.schedules.automaton.starts):
            store_state = 0
            while self.schedules.kind(local) in GOING:
                steps = self.steps(store_state, local, actor)
                most = max(most, steps)
                if steps in (0, NEVER):
                    break
                for transition in self._longest(store_state, local, actor):
                    store_state, local = transition.store_state, transition.local
        return most


def no_downtime(schedules: Schedules) -> Checked:
    """Only a crash ends an incarnation that still has work: no unknown outcome does, and no faster twin."""
    said = "An incarnation is over, though it did not crash, and there is more to do."
    for faults, search in schedules.searches():
        down = _Down(schedules, faults)
        if any(map(down, search.states)):
            schedule = down.schedule(schedules.simplest(down, faults))
            return Checked(False, said, functools.partial(schedules.counterexample, schedule, said))
    return Checked(True, "No incarnation ends but by a crash before all is done.")


class _Down:
    """Tells of states whether an incarnation is over in them too early, or can be by the next lost or late answer."""

    def __init__(self, schedules, faults):
        self.schedules = schedules
        self.losses = [LOSSES[name] for name in LOSSES if name in faults]
        arrows = schedules.automaton.arrows.items()
        self.giving_up = {
            local for (local, result), after in arrows if result == UNKNOWN and schedules.kind(after) == "gave up"
        }

    def __call__(self, state):
        store_state, budget, _, locals_ = state
        if self.schedules.done(store_state):
            return False
        return self._over(locals_) or bool(self._left(budget) and not self.giving_up.isdisjoint(locals_))

    def _over(self, locals_):
        return any(self.schedules.kind(local) in ("ended", "raised") for local in locals_)

    def _left(self, budget):
        """Return the kinds of loss that may still strike."""
        return [loss for loss in self.losses if budget & 15 * cost_of(loss)]

    def schedule(self, found):
        """Return the schedule to a state that was found, and the fault that ends the incarnation, if it needs one."""
        _, budget, _, locals_ = found.state
        schedule = found.violation.schedule
        if self._over(locals_):
            return schedule
        actor = next(actor for actor, local in enumerate(locals_) if local in self.giving_up)
        return [*schedule, Decision(actor, self._left(budget)[0])]
