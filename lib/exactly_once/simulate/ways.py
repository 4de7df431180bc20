"""How one actor can go on from a world and a local state, misfortunes included; found out once for each pair."""

from typing import NamedTuple

from .bounds import (
    CRASH,
    DUPLICATE,
    LOST_REPLY,
    LOST_REQUEST,
    OPTION,
    PAUSE,
    STEP,
    STEP_AND_CRASH,
    price,
)
from .contents import UNKNOWN


class Way(NamedTuple):
    """One way to go on.

    `price` is what it takes from the purse and `pocket` the bits of the purse that must not be empty (all of them when
    it costs nothing). `sleeper` is the local state of a life that was put to sleep, else -1; `rests` is True when the
    actor's life has ended or died, so that it is no preemption when another goes on.
    """

    kind: str
    option: int
    price: int
    pocket: int
    world: int
    local: int
    sleeper: int
    rests: bool


class Ways:
    """All ways of all actors of a world, for one kind of bounds: what can never be afforded is left out."""

    def __init__(self, automaton, purse):
        self.automaton, self.contents, self.purse = automaton, automaton.contents, purse
        self._nodes, self._zombies = {}, {}

    def of(self, world, local, zombie):
        """Return the ways of an actor, a tuple."""
        known = self._zombies if zombie else self._nodes
        found = known.get((world, local))
        if found is None:
            found = known[world, local] = tuple(self._find(world, local, zombie))
        return found

    def is_private(self, local):
        """Tell whether the next step of a local state touches nothing that others change: it can go first."""
        state = self.automaton.states[local]
        if state.kind == "store":
            return self.contents.operations[state.operation][1] == "input"
        return state.kind in ("point", "choose")

    def _find(self, world, local, zombie):
        state, contents = self.automaton.states[local], self.contents
        if state.kind == "store":
            after, result = contents.do(world, state.operation)
            yield from self._step(STEP, 0, after, local, result, zombie)
            if self._has(LOST_REQUEST):
                yield from self._step(LOST_REQUEST, 0, world, local, UNKNOWN, zombie)
            if self._has(LOST_REPLY):
                yield from self._step(LOST_REPLY, 0, after, local, UNKNOWN, zombie)
            if self._has(DUPLICATE):
                yield from self._step(DUPLICATE, 0, contents.do(after, state.operation)[0], local, result, zombie)
        elif state.kind == "point":
            yield from self._step(STEP, 0, world, local, None, zombie)
        elif state.kind == "choose":
            for option in range(state.options):
                yield from self._step(OPTION, option, world, local, option, zombie)
        else:
            return
        if not zombie and (state.kind != "choose" or state.name):  # no life dies within a read
            birth = self.automaton.starts[state.program]
            if self._has(CRASH):
                yield self._way(CRASH, 0, world, birth, rests=True)
            if self._has(PAUSE):
                yield self._way(PAUSE, 0, world, birth, sleeper=local, rests=True)

    def _step(self, kind, option, world, local, result, zombie):
        new = self.automaton.next(local, result)
        state = self.automaton.states[new]
        birth = self.automaton.starts[state.program]
        if state.kind == "gave up":
            new = self.automaton.ended if zombie else birth
        yield self._way(kind, option, world, new, rests=state.kind in ("ended", "gave up"))
        # after a crash point there is nothing to die of that the crash at the point is not
        ends = kind == STEP and state.kind == "ended" and self.automaton.states[local].kind == "store"
        if ends and not zombie and self._has(CRASH):
            yield self._way(STEP_AND_CRASH, 0, world, birth, rests=True)

    def _has(self, kind):
        return self.purse & 15 * price(kind)

    def _way(self, kind, option, world, local, sleeper=-1, rests=False):
        cost = price(kind)
        return Way(kind, option, cost, 15 * cost if cost else -1, world, local, sleeper, rests)
