"""Check single steps: the stores that they touch, the owners of transitions, waits, and overwritten values.

Three of these checks remember something of the way to a state: they watch every way through the states without
faults.
"""

from __future__ import annotations

from typing import Any

from ...explore.model.store_contents import is_inputs
from ...explore.model.transitions import GOING
from ...node.world import QUEUES
from ...stores.codec import decode
from ...stores.operations import OPERATIONS
from ..schedules import Schedules
from .checked import Checked


def heterogeneous(schedules: Schedules) -> Checked:
    """Each step reads or writes parts of one store alone: the machine's, the queues', the database's, or the inputs'.

    The claim is about the parts that may lie in stores that share nothing, not about their present place.
    """
    for _ in schedules.searches():
        pass  # every operation that any incarnation asks for is known then
    across = {
        number: owners
        for number in range(len(schedules.contents.operations))
        if len(owners := _owners(schedules, number)) > 1
    }
    if not across:
        return Checked(True, "No step touches two of machine, queues, database and inputs.")
    touched = " and ".join(sorted(next(iter(across.values()))))

    def example():
        states = schedules.automaton.states
        found = schedules.simplest(lambda state: any(states[local].operation in across for local in state[3]))
        said = f"After this schedule a node's next step touches {touched}."
        return schedules.counterexample(found.violation.schedule, said)

    return Checked(False, f"One step touches {touched}, so they have to be in one store.", example)


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
    watch = _Movers(schedules)
    if schedules.watched(watch):
        said = "There is a schedule in which all nodes make transitions."
        return Checked(
            True,
            said,
            lambda: schedules.counterexample(
                schedules.first_watched(watch), "In this schedule all nodes have made a transition."
            ),
        )

    def example():
        found = schedules.simplest(lambda state: schedules.ended(state[3]))
        said = "In this schedule, as in all, some node makes no transition."
        return schedules.counterexample(found.violation.schedule, said)

    return Checked(False, "In no schedule without faults do all nodes make a transition.", example)


def hot_hot(schedules: Schedules) -> Checked:
    """Without faults no node ever waits: none has to, nor looks twice at what has not changed before it tries.

    A wait for input does not count. This is necessary for a system without standby nodes, and not sufficient: a node
    that tries, and always comes too late, passes.
    """
    return _unless_watched(
        schedules,
        _Looks(schedules),
        "No node waits in any schedule without faults.",
        "A node waits: it has to, or looks again at what it has seen, and has tried nothing in between.",
    )


def race_free(schedules: Schedules) -> Checked:
    """A step only changes values that have not changed since its incarnation last read them.

    Where every write is a versioned compare-and-swap this holds by construction, and the result says so.
    """
    found = _unless_watched(
        schedules,
        _Stale(schedules),
        "No step changes what another has changed since its node last looked.",
        "A step writes over what another has written since its node last looked.",
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


def _unless_watched(schedules, watch, right, wrong):
    if not schedules.watched(watch):
        return Checked(True, right)
    return Checked(False, wrong, lambda: schedules.counterexample(schedules.first_watched(watch), wrong))


class _Movers:
    """Remembers which nodes have changed the machine; finds that all have."""

    def __init__(self, schedules):
        self.schedules, self.start = schedules, frozenset()

    def step(self, memory, actor, core, transition) -> Any:
        """Return the memory after a step, or None when all have."""
        step = self.schedules.step(core[0], core[2][actor], actor, transition.store_state)
        if step and self.schedules.machine in step.changes:
            memory |= {actor}
        return None if memory >= self.schedules.twins else memory


class _Looks:
    """Remembers what each node has read since it last tried to write; finds that it reads the same again."""

    def __init__(self, schedules):
        self.schedules, self.start = schedules, (frozenset(),) * schedules.nodes

    def step(self, memory, actor, core, transition) -> Any:
        """Return the memory after a step, or None when a node waits."""
        schedules, (store_state, _, locals_) = self.schedules, core
        for one, local in enumerate(locals_):
            waits = schedules.kind(local) in GOING and schedules.transitions.waits(store_state, local, one)
            if waits and not schedules.transitions.waits_for_input(store_state, local, one):
                return None
        step = schedules.step(store_state, locals_[actor], actor, transition.store_state)
        if step is None:
            return memory
        look = step.operation, step.result
        if step.reads and look in memory[actor]:
            return None
        seen = memory[actor] | {look} if step.reads else frozenset()
        return *memory[:actor], seen, *memory[actor + 1 :]


class _Stale:
    """Remembers for each node which cells others have changed since it last read them; finds that it changes one."""

    def __init__(self, schedules):
        self.schedules, self.start = schedules, (frozenset(),) * schedules.nodes

    def step(self, memory, actor, core, transition) -> Any:
        """Return the memory after a step, or None when the step changes a value that its node has not seen."""
        schedules = self.schedules
        store_state, local = core[0], core[2][actor]
        step = schedules.step(store_state, local, actor, transition.store_state)
        if step is None or not self._is_of_cells(local):
            return memory
        if step.changes & memory[actor]:
            return None
        return tuple(
            stale - step.places if one == actor and (step.reads or step.changes) else stale | step.changes
            for one, stale in enumerate(memory)
        )

    def _is_of_cells(self, local):
        """Tell whether an incarnation's next step is on cells: only there can something be written over."""
        verb = self.schedules.contents.verb(self.schedules.automaton.states[local].operation)
        return OPERATIONS[verb].kind == "cell"
