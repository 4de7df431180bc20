"""Going round and round: schedules after which everything is as it was, but for version numbers, which only grow."""

from collections import Counter

from ...simulate.decision import ARRIVAL, LATE_DUPLICATE, LATE_REQUEST
from ..bounds import price
from ..model.versions import renumbered

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


def moving(ways, schedule, loop):
    """Return (the actors of the last `loop` decisions, the nodes that could go on when those began, all actors)."""
    course = Course(ways)
    for decision in schedule[:-loop]:
        course.take(decision)
    world, held = course.moments[-1]
    able = {node for node in range(ways.automaton.nodes) if ways.calm(world, held[node], node)}
    return {decision.actor for decision in schedule[-loop:]}, able, len(held)


class Course:
    """A schedule carried out on the automaton: the world and each actor's local state after each decision."""

    def __init__(self, ways):
        self.ways, self.automaton, self.contents = ways, ways.automaton, ways.contents
        self.moments, self.late = [(0, list(self.automaton.starts))], Late(ways.contents)

    def take(self, decision):
        """Carry out one decision; tell whether that was possible."""
        world, held = self.moments[-1]
        if decision.kind == ARRIVAL:
            wanted = self.late.pending.pop(decision.option, None)
            for entry, option, after in self.contents.arrivals(world):
                if (entry, option) == (wanted, decision.actor):
                    self.moments.append((after, held))
                    return True
            return False
        for way in self.ways.of(world, held[decision.actor], decision.actor):
            if (way.kind, way.option) == decision[1:]:
                before, held, world = world, list(held), way.world
                held[decision.actor] = way.local
                if way.sleeper >= 0:
                    world = self.contents.free(world, decision.actor, len(held))
                    held.append(way.sleeper)
                self.late.noted(before, world, decision.kind)
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
        """Return by how much the version of each register has grown, or None when anything else differs."""
        before, after = self.contents.look(world), self.contents.look(later)
        if before.keys() != after.keys():
            return None
        grown = {}
        for part, content in before.items():
            if content != after[part]:
                cells = isinstance(content, tuple) and len(content) == 2 and isinstance(content[0], int)
                if not cells or content[1] != after[part][1]:
                    return None
                grown[part] = after[part][0] - content[0]
        return grown

    def _same_life(self, before, after, grown):
        if before == after:
            return True
        one, other = renumbered(self.automaton, before), renumbered(self.automaton, after)
        if one is None or other is None or one[0] != other[0] or len(one[1]) != len(other[1]):
            return False
        return all(
            new - old in (0, grown.get(part, 0)) for (part, old), (_, new) in zip(one[1], other[1], strict=True)
        )


class Late:
    """The late requests of a schedule, numbered in the order in which they were left to the network."""

    def __init__(self, contents):
        self.contents, self.pending, self._posted = contents, {}, 0

    def noted(self, before, after, kind):
        """Note what a decision of this kind did to the network: it may leave a request, pass one on, or drop some."""
        was, now = (Counter(self.contents.late(world)) for world in (before, after))
        added = list((now - was).elements())
        if kind in (LATE_REQUEST, LATE_DUPLICATE):
            if added:  # else it was for a life that is over by now
                self.pending[self._posted] = added.pop()
            self._posted += 1
        for entry in (was - now).elements():
            number = next(number for number, one in self.pending.items() if one == entry)
            if added:
                self.pending[number] = added.pop(0)  # the life that it belongs to fell asleep
            else:
                del self.pending[number]

    def arrived(self, entry):
        """Return the number of a late request that arrives, and forget it."""
        number = next(number for number, one in self.pending.items() if one == entry)
        del self.pending[number]
        return number
