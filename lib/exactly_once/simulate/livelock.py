"""Going round and round: schedules after which everything is as it was, but for version numbers, which only grow.

Which numbers in a life's variables are versions is found out by living it once more with larger ones: those that grow
with them are. A counter that happens to grow as fast as a version is then told from it.
"""

from ..node.registers import register_in
from ..stores.codec import decode, encode
from .automaton import bury
from .bounds import price
from .contents import REFUSED, UNKNOWN

SHIFT = 1_000_003  # by how much versions are larger when a life is lived once more
ROUNDS = 3  # how often the steps must lead to the same place


def lasso(ways, schedule):
    """Return how many of the last decisions of a schedule lead back to where they began; 0 if none do.

    They are repeated, to see that they can be.
    """
    course = Course(ways)
    for decision in schedule:
        if not course.take(decision):
            return 0
    end = len(schedule)
    for first in range(end - 1, -1, -1):
        if price(schedule[first].kind):
            return 0
        if course.same(first, end) and course.repeats(schedule[first:], ROUNDS):
            return end - first
    return 0


class Course:
    """A schedule carried out on the automaton: the world and each actor's local state after each decision."""

    def __init__(self, ways):
        self.ways, self.automaton, self.contents = ways, ways.automaton, ways.contents
        self.moments = [(0, list(self.automaton.starts))]

    def take(self, decision):
        """Carry out one decision; tell whether that was possible."""
        world, held = self.moments[-1]
        for way in self.ways.of(world, held[decision.actor], decision.actor):
            if (way.kind, way.option) == decision[1:]:
                held, world = list(held), way.world
                held[decision.actor] = way.local
                if way.sleeper >= 0:
                    world = self.contents.free(world, decision.actor, len(held))
                    held.append(way.sleeper)
                self.moments.append((world, held))
                return True
        return False

    def repeats(self, steps, rounds):
        """Tell whether these steps can be taken again, so many times, and lead to the same place each time."""
        for _ in range(rounds):
            before = len(self.moments) - 1
            if not all(map(self.take, steps)) or not self.same(before, len(self.moments) - 1):
                return False
        return True

    def same(self, one, other):
        """Tell whether two moments are equal with versions renumbered."""
        (world, held), (later, holds) = self.moments[one], self.moments[other]
        grown = self._growth(world, later)
        if grown is None or len(held) != len(holds):
            return False
        return all(self._same_life(before, after, grown) for before, after in zip(held, holds, strict=True))

    def _growth(self, world, later):
        """Return by how much versions of registers have grown, or None when anything else differs."""
        before, after = self.contents.look(world), self.contents.look(later)
        if before.keys() != after.keys():
            return None
        grown = {0}
        for part, content in before.items():
            if content != after[part]:
                cells = isinstance(content, tuple) and len(content) == 2 and isinstance(content[0], int)
                if not cells or content[1] != after[part][1]:
                    return None
                grown.add(after[part][0] - content[0])
        return grown

    def _same_life(self, before, after, grown):
        if before == after:
            return True
        one, other = renumbered(self.automaton, before), renumbered(self.automaton, after)
        if one is None or other is None or one[0] != other[0] or len(one[1]) != len(other[1]):
            return False
        return all(new - old in grown for old, new in zip(one[1], other[1], strict=True))


def renumbered(automaton, local):
    """Return (what decides what a life does next, without versions; the versions) of a local state.

    It is None when a part of that cannot be seen, or when the life does something else for the larger versions.
    """
    if local not in automaton.renumbered:
        automaton.renumbered[local] = _renumber(automaton, local)
    return automaton.renumbered[local]


def _renumber(automaton, local):
    state = automaton.states[local]
    life, world, found = automaton.born(state.program)
    for before, result in automaton.history(local):
        if not life:
            return None
        found = life.switch(_larger(automaton, automaton.states[before], result))
    larger = automaton.visible(found, life=life) if life else None
    bury(life, world)
    seen, versions = automaton.visible(state, local=local), []
    if seen is None or larger is None:
        return None
    return _without_versions(seen, larger, versions), versions


def _without_versions(value, larger, versions):
    """Return a value with each number left out that is larger in the other one; note those numbers."""
    if isinstance(value, (tuple, list)) and isinstance(larger, (tuple, list)) and len(value) == len(larger):
        return tuple(_without_versions(*pair, versions) for pair in zip(value, larger, strict=True))
    if type(value) is int and type(larger) is int and larger == value + SHIFT:
        versions.append(value)
        return "a version"
    return value if value == larger else ("differs", value, larger)


def _larger(automaton, state, result):
    """Return the result of a step with a larger version, if it is one of a register that was written to."""
    contents = automaton.contents
    if state.kind != "store" or result in (UNKNOWN, REFUSED):
        return result
    _, part, verb, _ = contents.operations[state.operation]
    kind, text = contents.results[result]
    if verb != "read" or kind != "value" or not register_in(part):
        return result
    version, value = decode(text)
    return contents.results.of(("value", encode([version + SHIFT * bool(version), value])))
