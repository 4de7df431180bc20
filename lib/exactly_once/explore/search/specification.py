"""The correct outcomes: those of crash-free runs of one node, or an invariant; checked once for each store state."""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from ...errors import BadInput, cut, in_one_line
from ...node.access import named_part, part_of, register_in
from ...node.source import cell
from ...node.world import ENGINE
from ...stores.codec import decode, describe, encode
from ...stores.operations import KINDS, committed
from ...verdict.damage import differences
from ...verdict.outcome import OUTPUT, Outcome, values_pushed, without_bookkeeping
from ...verdict.verdict import ALONE, IdealFailed, endless, fails, step_limit, waits_alone
from ...verdict.view import View
from ..model.automaton import Stopped
from ..model.states import BEGINNING
from ..model.store_contents import asked_once

MOST_CHARACTERS = 400  # of an outcome, in a sentence
Ways: TypeAlias = set[frozenset[tuple[str, str]]]  # the (part, text) of some registers after a run, for each run

if TYPE_CHECKING:
    from ...node.program import Program
    from ..model.automaton import State
    from ..model.states import StoreState
    from ..model.store_contents import Contents
    from .search import Limits, Search


class Specification:
    """The rules for each store state: may a run end there, and may observers see it during one? This accepts all.

    `stopped` is why the rules are not known within the limits; "" when they are. `outcomes` are the right ones, and
    `ends` is their number if nobody has said which are right, else 1. `overlooked` are the names of the parts in the
    stores that belong to no outcome. `silent` tells whether the right outcomes have nothing in the output.
    """

    silent, ends = False, 1
    outcomes: Collection[Outcome] = ()
    _counts, _another = True, False
    contents: Contents

    def __init__(self, stopped: str = "") -> None:
        self.stopped = stopped
        self.overlooked: set[str] = set()

    @property
    def warnings(self) -> list[str]:
        """What makes a proof by these rules worth little, in sentences."""
        return []

    def right(self, store_state: StoreState) -> bool:
        """Tell whether a finished run may leave this."""
        return True

    def explains(self, store_state: StoreState) -> bool:
        """Tell whether a run may show this on its way."""
        return True

    def outcome(self, store_state: StoreState, program: Program | None = None) -> Outcome:
        """Return what is compared of a store state; what is not is added to `overlooked`."""
        found = self.contents.outcome(store_state, program)
        found = found.but_registers() if self._another else found
        self.overlooked.update(found.overlooked)
        return found if self._counts else replace(found, counter=0)


def view_of(contents: Contents, store_state: StoreState, done: bool = False) -> View:
    """Return a `View` of a store state. No shortcut relies any more on what a rule asks the version of."""

    def counted(store: str, part: str) -> None:
        contents.reliances.broken.update((name, store, part) for name in ("grows", "unseen version"))

    return View(contents.stores(store_state), contents.programs, done, counted)


def _why_none_ends(search: Search, alone: str = "") -> str:
    """Return why runs without faults do not get through; `alone` is said of one node of several."""
    kind = search.found.violation.kind if search.found.violation is not None else "endless"
    states = [search.automaton.states[local] for local in search.found.state[3]]
    if kind == "raised":
        text = next(state.text for state in states if state.kind == "raised")
        nodes = f"Without any fault a handler fails, so no run of these nodes is right:\n{text}"
        return nodes if len(states) > 1 else fails(text, bool(alone))
    if kind == "deadlock" and len(states) > 1:
        return "Without any fault these nodes can come to a deadlock: each waits for another. Nothing is right then."
    if kind == "deadlock":
        return waits_alone(search.contents.awaited(states[0].operation))
    return endless(step_limit(search.automaton.programs[: search.nodes])) + alone


class Ideal(Specification):
    """The outcomes of all crash-free runs of a single node, choices included, and their visible states on the way.

    With `counter=False` nothing is asked of the counter; with `another=True` the program is not the one that is
    judged, and nothing is asked of how the nodes agree in registers. `bookkeeping()` returns the registers in which
    several nodes may differ from one.
    """

    def __init__(
        self,
        search: Search,
        limits: Limits,
        counter: bool,
        another: bool,
        bookkeeping: Callable[[], Collection[frozenset[tuple[str, str]]]],
    ) -> None:
        super().__init__()
        self.contents, self._bookkeeping = search.contents, bookkeeping
        self._counts, self._another = counter, another
        self.overlooked.update(() if counter else ("the counter",))
        program, found = search.automaton.programs[0], search.in_any_order(limits)
        several = len(self.contents.programs) > 1 and not another
        if found.violation is not None or found.lost:
            raise IdealFailed(_why_none_ends(search, ALONE * several))
        self.stopped, self.silent, self.nothing, self.unread = found.stopped, False, False, set()
        self.outcomes = {self.outcome(store_state, program) for store_state in found.outcomes}
        shown = [self._observed(store_state, program) for store_state in {state[0] for state in search.states}]
        self._visible = tuple(map(set, zip(*shown, strict=True)))
        if self.stopped:
            return
        if not self.outcomes:
            raise IdealFailed(
                "Without any fault this handler loops for ever and never ends. Does its loop ask node.running()?"
                + ALONE * several
            )
        given = self.outcome(BEGINNING, program)
        self.silent = all(not one.outputs and {*one.others} <= {*given.others} for one in self.outcomes)
        self.nothing = self.outcomes == {given}
        states = {search.automaton.states[local] for *_, (local,) in search.states}
        read = [offset for state in states if state.kind == "store" for offset in self._reads(state)]
        ends = program.source.end().items()
        self.unread = {stream for stream, end in ends if all(offset < end - 1 for of, offset in read if of == stream)}

    @asked_once
    def right(self, store_state: StoreState) -> bool:
        """Tell whether a finished run may leave this store state."""
        found = self.outcome(store_state)
        return found in self.outcomes or self._is_right_but_for_bookkeeping(found)

    def _is_right_but_for_bookkeeping(self, found: Outcome) -> bool:
        bare, right = without_bookkeeping(found, self.outcomes if found.registers else (), None)
        if bare not in right or not (kept := self._bookkeeping()):
            return False
        found, right = without_bookkeeping(found, self.outcomes, kept)
        self.overlooked.update(found.overlooked)
        return found in right

    @asked_once
    def explains(self, store_state: StoreState) -> bool:
        """Tell whether log, queue and counter, each alone, look like the beginning of some right outcome."""
        found = zip(self._observed(store_state, self.contents.programs[0]), self._visible, strict=True)
        return all(part in visible for part, visible in found)

    def _observed(self, store_state: StoreState, program: Program) -> tuple[Any, tuple[Any, ...], Any]:
        """Return the observable parts of a store state: a program's output, its queue, and the counter."""
        content = functools.partial(self.contents.content, store_state)
        counter = content("database", "counter", "table") if self._counts else 0
        if program.protocol or program.machine or program.checkpoint:
            output = tuple(encode(value) for value in values_pushed(self.contents.stores(store_state), program))
            return output, (), counter
        queue = []
        while (held := content("engine", part_of(cell(OUTPUT, len(queue))), "cell")) != KINDS["cell"].empty:
            queue.append(held[1])
        return content("engine", OUTPUT, "log"), tuple(queue), counter

    def _reads(self, state: State) -> Iterable[tuple[str, int]]:
        """Return the (stream, offset) pairs that a local state's step reads."""
        _, _, verb, text = self.contents.operations[state.operation]
        if verb == "any_filled":
            return [(queue, int(name.rpartition(".")[2])) for queue, name in decode(text)[0].items()]
        return decode(text)[0].items() if verb == "fetch" else ()

    @property
    def warnings(self) -> list[str]:
        """What makes a proof by these outcomes worth little, in sentences."""
        found = []
        if self.nothing:
            found.append(
                "Even when nothing goes wrong the handler leaves nothing in output, counter, state and positions, "
                "so there was nothing to get wrong."
            )
        elif self.silent:
            found.append(
                "Even when nothing goes wrong the handler writes nothing to the output, so nothing could be doubled "
                "or missing there."
            )
        if self.unread:
            found.append(
                f"When nothing goes wrong the handler leaves input of {', '.join(sorted(self.unread))} unread."
            )
        return found


def left_in_words(specification: Any) -> str:
    """Return what a run without a fault leaves that was not there before, in words; "" for nothing, or a rule."""
    one = min(specification.outcomes, key=repr, default=None)
    if one is None:
        return ""
    given = specification.outcome(BEGINNING).others
    held = [("the output", [decode(text) for text in one.outputs] or None), ("the counter", one.counter or None)]
    held += [(named_part(part) or part, decode(text)) for part, text in one.others if (part, text) not in given]
    said = [f"{name}{':' * (type(value) is not list)} {describe(value)}" for name, value in held if value is not None]
    several = f" (one of {len(specification.outcomes):,} ways)" * (len(specification.outcomes) > 1)
    return cut("; ".join(said), MOST_CHARACTERS) + several * bool(said)


def bookkeeping(search: Search, alone: set[str], limits: Limits) -> Ways:
    """Return the registers that name a node, as (part, text), as each run of a search without faults leaves them.

    Nothing but their numbers tells nodes of one handler apart. A register names a node if its name holds a node's
    number, and one node only asks to write it; or if its content does, every node asks to write it, no two of them
    the same, and a node alone leaves it, too (`alone` are these parts). A counter that reaches 2 names none. Raises
    `Stopped` if these runs are not all explored within the limits.
    """
    found, automaton = search.in_any_order(limits), search.automaton
    if not found.exhausted:
        raise Stopped(f"{found.stopped or automaton.lost_sight()} before the runs without a fault were known")
    contents, nodes = automaton.contents, range(automaton.nodes)
    steps = {(node, automaton.states[state[3][node]].operation) for state in search.states for node in nodes}
    asked = defaultdict(set)  # {part: {(node, text)}}
    for node, operation in steps:
        store, part, verb, arguments = contents.operations[operation] if operation >= 0 else ("", "", "", "")
        if (store, verb) == (ENGINE, "cas") and register_in(part):
            asked[part].add((node, encode(decode(arguments)[-1])))

    def names(text: str) -> bool:
        return not {*map(str, (*nodes, len(nodes)))}.isdisjoint(re.findall(r"\d+", text))  # from 0, or from 1, on

    def is_bookkeeping(part: str, text: str) -> bool:
        writers, values = {node for node, _ in asked[part]}, [value for _, value in asked[part] if names(value)]
        if names(part) and len(writers) == 1:
            return True
        return names(text) and part in alone and writers == {*nodes} and len(values) == len({*values})

    left = (contents.outcome(store_state).registers for store_state in found.outcomes)
    ways = {frozenset(pair for pair in registers if is_bookkeeping(*pair)) for registers in left}
    return ways if any(ways) else set()


class FaultFree(Specification):
    """The outcomes of several nodes with different handlers in runs without faults, in any order of their steps."""

    def __init__(self, search: Search, limits: Limits, another: bool = False) -> None:
        super().__init__()
        self.contents, self._another = search.contents, another
        found = search.in_any_order(limits)
        if found.violation is not None:
            raise IdealFailed(_why_none_ends(search))
        self.stopped = found.stopped or search.automaton.lost_sight() * found.lost
        self.outcomes = {self.outcome(store_state) for store_state in found.outcomes}
        self.ends = 1 if another else len(self.outcomes)
        store_states = {state[0] for state in search.states}
        self._visible = {place for store_state in store_states for place in self._observed(store_state)}

    def _observed(self, store_state: StoreState) -> Iterator[tuple[int, str]]:
        """Yield (place, content) of each observable part of a store state: logs, numbers and partitions."""
        for place, number in enumerate(self.contents.store_states[store_state]):
            kind = self.contents.parts[place][2]
            if number != -1 and kind in ("log", "table", "partition"):
                yield place, self._said(kind, number)

    @asked_once
    def _said(self, kind: str, number: int) -> str:
        return repr(KINDS[kind].seen(committed(self.contents.part_contents[number])))

    @asked_once
    def right(self, store_state: StoreState) -> bool:
        """Tell whether a finished run may leave this store state."""
        return self.outcome(store_state) in self.outcomes

    def complaint(self, store_state: StoreState) -> list[str]:
        """Describe the difference between an outcome and the nearest outcome of a run without faults."""
        left = self.outcome(store_state)
        found = [differences(left, right) for right in self.outcomes]
        return min(found, key=len, default=["no run without a fault ends"])

    def explains(self, store_state: StoreState) -> bool:
        """Tell whether each log, number and partition, alone, is as in some run without faults."""
        return not self.unexplained(store_state)

    def unexplained(self, store_state: StoreState) -> list[str]:
        """Return in words each log, number and partition that no run without faults shows."""
        seen = [
            (self.contents.parts[one[0]][1], one[1])
            for one in self._observed(store_state)
            if one not in self._visible
        ]
        return [f"{named_part(part) or part} is {said}" for part, said in seen]

    @property
    def warnings(self) -> list[str]:
        """What makes a proof by these outcomes worth little, in sentences."""
        found = []
        if self.outcomes == {self.outcome(BEGINNING)}:
            found.append("Even when nothing goes wrong these nodes leave nothing, so there was nothing to get wrong.")
        if self.ends > 1:
            found.append(
                f"Even when nothing goes wrong these nodes can end in {self.ends} ways, and each of them was let "
                "pass. Say with `invariant` or `reference` which are right."
            )
        return found


class Invariant(Specification):
    """The caller's rule, checked at every moment: `rule(view)` returns true, false, or an error text."""

    def __init__(self, rule: Callable[[View], object], contents: Contents) -> None:
        if not callable(rule):
            raise BadInput(f"The invariant is {rule!r}; give a function of one argument, a view of the stores.")
        super().__init__()
        self.rule, self.contents = rule, contents

    def right(self, store_state: StoreState) -> bool:
        """Tell whether the rule holds at the end of a run."""
        return self._said(store_state, True) is True

    def explains(self, store_state: StoreState) -> bool:
        """Tell whether the rule holds in the middle of a run."""
        return self._said(store_state, False) is True

    @asked_once
    def _said(self, store_state: StoreState, done: bool) -> str | bool:
        answer = self._asked(view_of(self.contents, store_state, done))
        self.contents.reliances.check()
        return True if answer is None else answer if isinstance(answer, str) else bool(answer)

    def _asked(self, view: View) -> Any:
        try:
            return self.rule(view)
        except Exception as why:
            said = in_one_line(why).removesuffix(".")
            raise BadInput(
                f"The invariant failed on the output {describe(view.outputs)}: {said}. It is asked at every moment, "
                "also before anything was written."
            ) from why

    def complaint(self, store_state: StoreState, done: bool) -> str:
        """Return the rule's answer on a store state; for a rule without words what it looked at."""
        answer = self._said(store_state, done)
        if isinstance(answer, str):
            return answer
        view = view_of(self.contents, store_state, done)
        self._asked(view)
        seen = " and ".join(f"view.{name} is {describe(value)}" for name, value in view.noted.items())
        return f"the invariant does not hold{f': {seen}' * bool(seen)}"
