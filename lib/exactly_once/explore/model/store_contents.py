"""The contents of the stores as whole numbers: each content of a part is stored once, each operation performed once.

So a store state is one number for a tuple of numbers, as in recursive indexing (G. Holzmann, "State Compression in
SPIN", SPIN Workshop 1997). The operations themselves are those of `MemoryStore`. Versions are kept where a handler
can see them, in registers; of positions and state it sees only whether anything was written. Messages of several
senders have no order among them. A lock is held by the number of an actor, and not of an incarnation.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

from ...errors import BadInput
from ...node.access import awaited
from ...node.program import Program, load_inputs
from ...node.world import ENGINE, Stores
from ...stores import Blocked, MemoryStore, decode, encode, in_doubt
from ...stores.operations import KINDS, OPERATIONS, Content, NoInput, committed
from ...verdict import Outcome
from .shortcuts import Reliances
from .states import StoreState

UNKNOWN = 0
REFUSED = 1
VERSIONLESS = ("positions", "state")
NETWORK = ("", "", "network")  # the place where late requests are: (operation, the actor whose it is or -1), sorted

LateRequest: TypeAlias = tuple[int, int]  # (operation, the actor whose it is or -1)
Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def asked_once(
    method: Callable[Concatenate[Any, Given], Answer],
) -> functools.cached_property[Callable[Given, Answer]]:
    """Have each object remember what a method answers, by its arguments, for as long as there is the object."""

    def remembering(owner: Any) -> Any:
        return functools.cache(functools.partial(method, owner))

    return functools.cached_property(remembering)


class Interner:
    """Values that stand for whole numbers: 0, 1, 2, … in the order in which they were first seen."""

    def __init__(self, first: Iterable[Any] = ()) -> None:
        self.number: dict[Any, int] = {}
        self.values: list[Any] = []
        for value in first:
            self.of(value)

    def of(self, value: Any) -> int:
        """Return the number of a hashable value."""
        found = self.number.get(value)
        if found is None:
            found = self.number[value] = len(self.values)
            self.values.append(value)
        return found

    def __getitem__(self, number: int) -> Any:
        return self.values[number]


class Contents:
    """All contents that the stores, and each part of them, can have. Store state 0 is the beginning, inputs in place.

    `programs` are those of the nodes, which put inputs and partitions into the stores. `reliances` are the properties
    that shortcuts rely on, see `shortcuts`.
    """

    def __init__(self, *programs: Program, reliances: Reliances) -> None:
        self.reliances, self.programs = reliances, programs
        stores = Stores(MemoryStore)
        load_inputs(self.programs, stores)
        self.inputs = stores[ENGINE]
        self.operations = Interner()  # (store, part, verb, arguments as text)
        self.results = Interner(["unknown", "refused"])
        self.parts = Interner()  # (store, part, kind)
        self.part_contents = Interner()  # one part's content
        self._once: dict[tuple[tuple[int, ...], int], tuple[tuple[int, ...], int]] = {}
        self.without_input = set()
        beginning = [
            self.part_contents.of(content)
            for name, store in stores.items()
            for (kind, part), content in store.parts.items()  # type: ignore[attr-defined]
            if not is_input(name, part) and self.parts.of((name, part, kind)) >= 0
        ]
        # of each: for each part in turn, the number of its content, trailing -1 left out
        self.store_states = Interner([tuple(beginning)])

    def operation(self, store: str, part: str, verb: str, arguments: Sequence[Any]) -> int:
        """Return the number of an operation. Raises `BadInput` when the arguments are not fit for a store."""
        known = len(self.operations.values)
        number = self.operations.of((store, part, verb, encode(list(arguments))))
        if number == known:
            self.reliances.asked(store, part, verb, arguments)
        return number

    def holds_rows(self, operation: int) -> bool:
        """Tell whether any incarnation has asked the operation's store to prepare a transaction, which holds rows."""
        return (self.operations[operation][0], in_doubt.PART, in_doubt.KIND) in self.parts.number

    def verb(self, operation: int) -> str:
        """Return the verb of an operation."""
        return self.operations[operation][2]

    def awaited(self, operation: int) -> str:
        """Return in words the object that this operation waits for: a lock, a message, or a record."""
        _, part, verb, text = self.operations[operation]
        return awaited(verb, part, decode(text)[0] if verb == "take" else None)

    @asked_once
    def outcomes(self, store_state: StoreState, operation: int, actor: int = 0) -> list[tuple[int, StoreState, int]]:
        """Return the list of (option, store state after, result) of an operation that an actor asks for, as numbers.

        It is empty when the operation has to wait. The option is 0, or the sender where any sender's message will do.
        """
        return list(self._outcomes(store_state, operation, actor))

    def _outcomes(self, store_state: StoreState, operation: int, actor: int) -> Iterator[tuple[int, StoreState, int]]:
        store, part, verb, text = self.operations[operation]
        if verb == "refused":
            yield 0, store_state, REFUSED
        elif verb == "fetch" and is_inputs(store, part):
            answer = self.inputs.do(part, verb, *decode(text)).value
            yield 0, store_state, self.results.of(("value", encode(answer)))
        elif verb == "take" and decode(text) == [None]:
            for sender in sorted({sender for sender, _ in self._content(store_state, store, part, "inbox")}):
                one = self.operation(store, part, "take", [sender])
                for _, after, result in self.outcomes(store_state, one):
                    yield sender, after, result
        else:
            try:
                after, result = self._carried_out(store_state, self._asked(store_state, operation, actor))
            except Blocked as why:
                if isinstance(why, NoInput):
                    self.without_input.add((store_state, operation, actor))
                return
            yield 0, after, result

    def _asked(self, store_state: StoreState, operation: int, actor: int) -> int:
        """Return an operation as the store gets it: a lock is held by an actor, whose acquisitions have an order.

        One that comes after a late release is a later one; a release names the last. A late request has its place.
        """
        store, part, verb, text = self.operations[operation]
        if self._is_by_life(operation) and not self._is_of_lock(operation):
            return self.operation(store, part, verb, [actor, *decode(text)[1:]])
        if not self._is_of_lock(operation) or len(decode(text)) > 1:
            return operation
        holder, late = self._content(store_state, store, part, "lock"), {"acquire": [], "release": []}
        for one, whose in self.late(store_state):
            name, of, verb_of, said = self.operations[one]
            if whose == actor and (name, of) == (store, part) and verb_of in late:
                late[verb_of].append(decode(said)[1])
        held = holder[1] if holder is not None and holder[0] == actor else 0
        last = max(held, *late["acquire"], *late["release"], 0)
        if verb == "acquire":
            last = max(last, max(late["release"], default=0) + 1)
        return self.operation(store, part, verb, [actor, last])

    def _is_by_life(self, operation: int) -> bool:
        verb = self.verb(operation)
        return verb in OPERATIONS and OPERATIONS[verb].by_life

    def _is_of_lock(self, operation: int) -> bool:
        verb = self.verb(operation)
        return verb in OPERATIONS and OPERATIONS[verb].kind == "lock"

    def again(self, store_state: StoreState, operation: int, result: int | None, actor: int = 0) -> StoreState:
        """Return the store state after the same request came a second time; `result` is the first one's result."""
        operation = self._second(operation, result)
        return next((after for _, after, _ in self.outcomes(store_state, operation, actor)), store_state)

    def _second(self, operation: int, result: int | None) -> int:
        """Return the second copy of a request: one that takes a message takes one of the same sender."""
        store, part, verb, _ = self.operations[operation]
        if verb != "take" or result is None:
            return operation
        return self.operation(store, part, verb, decode(self.results[result][1])[:1])

    def post(self, store_state: StoreState, operation: int, actor: int, result: int | None = None) -> StoreState:
        """Return the store state in which a request is late; with `result`, a second copy, after that result."""
        if result is not None:
            operation = self._second(operation, result)
        operation = self._asked(store_state, operation, actor)
        named = OPERATIONS.get(self.verb(operation))
        if named is None or named.reads:
            return store_state
        whose = actor if named.owned or named.kind == "lock" else -1
        return self._with_network(store_state, [*self.late(store_state), (operation, whose)])

    def late(self, store_state: StoreState) -> tuple[LateRequest, ...]:
        """Return the late requests of a store state."""
        return self._content(store_state, *NETWORK)

    @asked_once
    def arrivals(self, store_state: StoreState) -> list[tuple[LateRequest, int, StoreState]]:
        """Return the list of (late request, option, store state after it). Waiting requests are dropped."""
        found: list[tuple[LateRequest, int, StoreState]] = []
        late = self.late(store_state)
        for entry in dict.fromkeys(late):
            operation, actor = entry
            at = late.index(entry)
            without = self._with_network(store_state, late[:at] + late[at + 1 :])
            outcomes = self.outcomes(without, operation, actor)
            found += [(entry, option, after) for option, after, _ in outcomes] or [(entry, 0, without)]
        return found

    @asked_once
    def free(self, store_state: StoreState, actor: int, successor: int | None = None) -> StoreState:
        """Return the store state after the incarnation of an actor is over, or has passed to the actor `successor`.

        Its locks are free, or the successor's; its late requests are dropped, or the successor's.
        """
        after = list(self.store_states[store_state])
        for place, number in enumerate(after):
            kind = KINDS.get(self.parts[place][2])
            if number != -1 and kind is not None and kind.passed is not None:
                left = kind.passed(self.part_contents[number], actor, successor)
                after[place] = -1 if left == kind.empty else self.part_contents.of(left)
        late = self._passed_on(self.late(store_state), actor, successor)
        return self._with_network(self._store_state(after), late)

    def _passed_on(self, late: Iterable[LateRequest], actor: int, successor: int | None) -> Iterator[LateRequest]:
        for operation, whose in late:
            store, part, verb, text = self.operations[operation]
            if whose != actor:
                yield operation, whose
            elif successor is not None:
                kept = [successor, *decode(text)[1:]] if self._is_by_life(operation) else decode(text)
                yield self.operation(store, part, verb, kept), successor

    def _with_network(self, store_state: StoreState, late: Iterable[LateRequest]) -> StoreState:
        """Return a store state with these late requests."""
        after = tuple(sorted(late))
        if not after and NETWORK not in self.parts.number:
            return store_state
        place = self.parts.of(NETWORK)
        numbers = list(self.store_states[store_state])
        numbers += [-1] * (place + 1 - len(numbers))
        numbers[place] = self.part_contents.of(after) if after else -1
        return self._store_state(numbers)

    def _content(self, store_state: StoreState, store: str, part: str, kind: str) -> Content:
        numbers, place = self.store_states[store_state], self.parts.number.get((store, part, kind))
        empty = KINDS[kind].empty if kind in KINDS else ()
        number = -1 if place is None or place >= len(numbers) else numbers[place]
        return empty if number == -1 else self.part_contents[number]

    def _carried_out(self, store_state: StoreState, operation: int) -> tuple[StoreState, int]:
        store, part, verb, text = self.operations[operation]
        arguments = decode(text)
        kinds = OPERATIONS[verb].places(part, arguments)
        contents = [self._content(store_state, store, name, kind) for kind, name in kinds]
        kinds += OPERATIONS[verb].more_places(part, contents, arguments)
        places = [self.parts.of((store, name, kind)) for kind, name in kinds]
        numbers = list(self.store_states[store_state])
        numbers += [-1] * (max(places) + 1 - len(numbers))
        before = tuple(numbers[place] for place in places)
        done = self._once.get((before, operation))
        if done is None:
            done = self._once[before, operation] = self._apply(before, kinds, store, part, verb, arguments)
        for place, number in zip(places, done[0], strict=True):
            numbers[place] = number
        return self._store_state(numbers), done[1]

    def _store_state(self, numbers: list[int]) -> StoreState:
        while numbers and numbers[-1] == -1:
            numbers.pop()
        return StoreState(self.store_states.of(tuple(numbers)))

    def _apply(
        self,
        before: tuple[int, ...],
        kinds: list[tuple[str, str]],
        store: str,
        part: str,
        verb: str,
        arguments: list[Any],
    ) -> tuple[tuple[int, ...], int]:
        """Return (the numbers of the contents after an operation, its result)."""
        contents = [
            KINDS[kind].empty if number == -1 else self.part_contents[number]
            for number, (kind, _) in zip(before, kinds, strict=True)
        ]
        try:
            done = OPERATIONS[verb].carried_out(part, contents, arguments)
        except BadInput as why:
            return before, self.results.of(("error", str(why)))
        after = []
        for (kind, name), content in zip(kinds, done.contents, strict=True):
            if kind == "inbox":
                content = tuple(sorted(content, key=lambda waiting: waiting[0]))
            if self._is_saved(store, name, verb):
                content = (1, content[1])
            after.append(-1 if content == KINDS[kind].empty else self.part_contents.of(content))
        return tuple(after), self.results.of(("value", encode(done.answer)))

    def _is_saved(self, store: str, name: str, verb: str) -> bool:
        """Tell whether this saves positions or state of which nobody sees the version (the shortcut "saves")."""
        saves = verb == "write" and store == ENGINE and name.rpartition(".")[2] in VERSIONLESS
        return saves and self.reliances.holds("unseen version", store, name)

    def content(self, store_state: StoreState, store: str, part: str, kind: str) -> Any:
        """Return the committed content of one part: a cell's (version, text), a log's texts, a table's number."""
        return committed(self._content(store_state, store, part, kind))

    def stores(self, store_state: StoreState) -> Stores:
        """Return the `Stores` as they stand in a store state, without the inputs and the network."""
        stores = Stores(MemoryStore)
        for place, number in enumerate(self.store_states[store_state]):
            name, part, kind = self.parts[place]
            if number != -1 and kind in KINDS:
                stores[name].parts[kind, part] = self.part_contents[number]  # type: ignore[attr-defined]
        return stores

    def outcome(self, store_state: StoreState, program: Program | None = None) -> Outcome:
        """Return the observable `Outcome` of a store state, of all programs or of a single one that left it."""
        return Outcome.of(self.stores(store_state), self.programs if program is None else [program])


def is_input(store: str, part: str) -> bool:
    """Tell whether a part holds inputs, which nobody changes."""
    return store == ENGINE and part.startswith("input.")


def is_inputs(store: str, part: str) -> bool:
    """Tell whether a fetch from this part reads inputs; a log of the same name in another store is another matter."""
    return (store, part) == (ENGINE, "input")
