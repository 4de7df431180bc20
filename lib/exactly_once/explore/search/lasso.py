"""Find loops: schedules after which everything is as before, except version numbers, which only grow."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ...simulate.decision import ARRIVAL
from ..bounds import cost_of
from ..model.states import BEGINNING
from ..model.versions import abstracted

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...simulate.decision import Decision
    from ..model.states import LocalState, StoreState
    from ..model.store_contents import Contents, LateRequest
    from ..model.transitions import Transitions

ROUNDS = 3  # how often the steps must lead to the same place


def lasso(transitions: Transitions, schedule: list[Decision], over: Callable[[], object] | None = None) -> int:
    """Return how many of the last decisions of a schedule lead back to where they began; 0 if none do.

    They are repeated, to see that they can be. `over()` may end this early, as if none did: to compare two moments
    can mean to live an incarnation once more.
    """
    path = Path(transitions)
    for decision in schedule:
        if not path.take(decision):
            return 0
    end = len(schedule)
    for first in range(end - 1, -1, -1):
        if cost_of(schedule[first].kind) or (over and over()):
            return 0
        if path.same(first, end) and path.repeats(schedule[first:], ROUNDS):
            return end - first
    return 0


def moving(transitions: Transitions, schedule: list[Decision], loop: int) -> tuple[set[int], set[int], int]:
    """Return (the actors of the last `loop` decisions, the nodes that could go on when those began, all actors)."""
    path = Path(transitions)
    for decision in schedule[:-loop]:
        path.take(decision)
    store_state, locals_ = path.moments[-1]
    able = {
        node
        for node in range(transitions.automaton.nodes)
        if transitions.fault_free(store_state, locals_[node], node)
    }
    return {decision.actor for decision in schedule[-loop:]}, able, len(locals_)


class Path:
    """A schedule carried out on the automaton: the store state and each actor's local state after each decision."""

    def __init__(self, transitions: Transitions) -> None:
        self.transitions, self.automaton, self.contents = transitions, transitions.automaton, transitions.contents
        self.moments, self.late = [(BEGINNING, list(self.automaton.starts))], Late(transitions.contents)

    def take(self, decision: Decision) -> bool:
        """Carry out one decision; tell whether that was possible."""
        store_state, locals_ = self.moments[-1]
        if decision.kind == ARRIVAL:
            wanted = self.late.pending.pop(decision.option, None)
            for entry, option, after in self.contents.arrivals(store_state):
                if (entry, option) == (wanted, decision.actor):
                    self.moments.append((after, locals_))
                    return True
            return False
        for transition in self.transitions.of(store_state, locals_[decision.actor], decision.actor):
            if (transition.kind, transition.option) == decision[1:]:
                before, locals_, store_state = store_state, list(locals_), transition.store_state
                posts = self.transitions.posts(locals_[decision.actor], decision.kind)
                locals_[decision.actor] = transition.local
                if transition.sleeper >= 0:
                    store_state = self.contents.free(store_state, decision.actor, len(locals_))
                    locals_.append(transition.sleeper)
                self.late.noted(before, store_state, posts)
                self.moments.append((store_state, locals_))
                return True
        return False

    def repeats(self, steps: list[Decision], rounds: int) -> bool:
        """Tell whether these steps can be taken again, so many times, and lead to the same place each time."""
        for _ in range(rounds):
            before = len(self.moments) - 1
            if not all(map(self.take, steps)) or not self.same(before, len(self.moments) - 1):
                return False
        return True

    def same(self, one: int, other: int) -> bool:
        """Tell whether two moments are equal but for the version abstraction."""
        (store_state, locals_), (later, holds) = self.moments[one], self.moments[other]
        grown = self._growth(store_state, later)
        if grown is None or len(locals_) != len(holds):
            return False
        return all(self._same_life(before, after, grown) for before, after in zip(locals_, holds, strict=True))

    def _growth(self, store_state: StoreState, later: StoreState) -> dict[tuple[str, str], int] | None:
        """Return by how much the version of each register has grown, or None when anything else differs."""
        before, after = self.contents.look(store_state), self.contents.look(later)
        if before.keys() != after.keys():
            return None
        grown = {}
        for part, content in before.items():
            if content != after[part]:
                if part[2] != "cell" or content[1] != after[part][1]:
                    return None
                if not self.contents.reliances.holds("grows", *part[:2]):
                    return None
                grown[part[:2]] = after[part][0] - content[0]
        return grown

    def _same_life(self, before: LocalState, after: LocalState, grown: dict[tuple[str, str], int]) -> bool:
        if before == after:
            return True
        one, other = abstracted(self.automaton, before), abstracted(self.automaton, after)
        if one is None or other is None or one[0] != other[0] or len(one[1]) != len(other[1]):
            return False
        return all(
            new - old in (0, grown.get(part, 0)) for (part, old), (_, new) in zip(one[1], other[1], strict=True)
        )


class Late:
    """The late requests of a schedule, numbered in the order in which they were left to the network."""

    def __init__(self, contents: Contents) -> None:
        self.contents, self._posted = contents, 0
        self.pending: dict[int, LateRequest] = {}

    def noted(self, before: StoreState, after: StoreState, posts: bool) -> None:
        """Note what a decision did to the network: it may leave a request (`posts`), pass one on, or drop some."""
        was, now = (Counter(self.contents.late(store_state)) for store_state in (before, after))
        added = list((now - was).elements())
        if posts:
            if added:  # else it was for an incarnation that is over by now
                self.pending[self._posted] = added.pop()
            self._posted += 1
        for entry in (was - now).elements():
            number = next(number for number, one in self.pending.items() if one == entry)
            if added:
                self.pending[number] = added.pop(0)  # the incarnation that it belongs to fell asleep
            else:
                del self.pending[number]

    def arrived(self, entry: LateRequest) -> int:
        """Return the number of a late request that arrives, and forget it."""
        number = next(number for number, one in self.pending.items() if one == entry)
        del self.pending[number]
        return number
