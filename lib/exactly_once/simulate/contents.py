"""What the stores hold, as whole numbers: each content of a part is kept once, and each operation on it done once.

The operations themselves are those of `MemoryStore`. Versions are kept where a handler can see them, in registers;
of positions and state it sees only whether anything was written. Messages of several senders have no order among them.
A lock is held by the number of an actor, and not of a life.
"""

import contextlib

from ..errors import BadInput
from ..node.parts import awaited
from ..stores import Blocked, MemoryStore
from ..stores.codec import decode, encode

UNKNOWN = 0
REFUSED = 1
VERSIONLESS = ("positions", "state")
EMPTY = {"cell": (0, "null"), "log": (), "table": 0, "inbox": (), "lock": None}
KIND_OF = {"read": "cell", "write": "cell", "cas": "cell", "append": "log", "fetch": "log", "add": "table"}
KIND_OF |= {"put": "inbox", "take": "inbox", "acquire": "lock", "release": "lock"}
SHELVES = {"cell": "cells", "log": "logs", "table": "tables", "inbox": "inboxes", "lock": "locks"}


class Texts:
    """Values that stand for whole numbers: 0, 1, 2, … in the order in which they were first seen."""

    def __init__(self, first=()):
        self.number, self.values = {}, []
        for value in first:
            self.of(value)

    def of(self, value):
        """Return the number of a hashable value."""
        found = self.number.get(value)
        if found is None:
            found = self.number[value] = len(self.values)
            self.values.append(value)
        return found

    def __getitem__(self, number):
        return self.values[number]

    def __len__(self):
        return len(self.values)


class Contents:
    """All contents that the stores of a world can have. Content 0 is the beginning, with the inputs in place."""

    def __init__(self, job):
        self.inputs = MemoryStore("engine")
        job.furnish(self.inputs)
        self.operations = Texts()  # (store, part, verb, arguments as text)
        self.results = Texts(["unknown", "refused"])
        self.parts = Texts()  # (store, part, kind)
        self.held = Texts()  # one part's content
        self.worlds = Texts([()])  # for each part in turn, the number of its content, trailing -1 left out
        self._done = {}
        self._once = {}
        self._moved = {}

    def operation(self, store, part, verb, arguments):
        """Return the number of an operation. Raises `BadInput` when the arguments are not fit for a store."""
        return self.operations.of((store, part, verb, encode(list(arguments))))

    def verb(self, operation):
        """Return the verb of an operation."""
        return self.operations[operation][2]

    def awaited(self, operation):
        """Return in words what a life waits for that asks for this operation: a lock, or a message."""
        _, part, verb, text = self.operations[operation]
        return awaited(part, decode(text)[0] if verb == "take" else None)

    def outcomes(self, world, operation, actor=0):
        """Return the list of (option, world after, result) of an operation that an actor asks for, as numbers.

        It is empty when the operation has to wait. The option is 0, or the sender where any sender's message will do.
        """
        found = self._done.get((world, operation, actor))
        if found is None:
            found = self._done[world, operation, actor] = list(self._outcomes(world, operation, actor))
        return found

    def _outcomes(self, world, operation, actor):
        store, part, verb, text = self.operations[operation]
        if verb == "refused":
            yield 0, world, REFUSED
        elif part == "input":
            yield 0, world, self._perform(self.inputs, part, verb, text)
        elif verb == "take" and decode(text) == [None]:
            for sender in sorted({sender for sender, _ in self._content(world, store, part, "inbox")}):
                one = self.operation(store, part, "take", [sender])
                for _, after, result in self.outcomes(world, one):
                    yield sender, after, result
        else:
            asked = self.operation(store, part, verb, [actor]) if KIND_OF[verb] == "lock" else operation
            with contextlib.suppress(Blocked):
                yield 0, *self._done_on_part(world, asked)

    def again(self, world, operation, result, actor=0):
        """Return the world after the same request came a second time; `result` is what the first one gave."""
        store, part, verb, _ = self.operations[operation]
        if verb == "take":
            operation = self.operation(store, part, verb, decode(self.results[result][1])[:1])
        return next((after for _, after, _ in self.outcomes(world, operation, actor)), world)

    def free(self, world, actor, heir=None):
        """Return the world in which the locks of an actor are free, or held by the actor `heir` if that is given."""
        found = self._moved.get((world, actor, heir))
        if found is None:
            after = list(self.worlds[world])
            for place, number in enumerate(after):
                if number != -1 and self.parts[place][2] == "lock" and self.held[number] == actor:
                    after[place] = -1 if heir is None else self.held.of(heir)
            found = self._moved[world, actor, heir] = self._world(after)
        return found

    def _content(self, world, store, part, kind):
        held, place = self.worlds[world], self.parts.of((store, part, kind))
        return EMPTY[kind] if place >= len(held) or held[place] == -1 else self.held[held[place]]

    def _done_on_part(self, world, operation):
        store, part, verb, text = self.operations[operation]
        place = self.parts.of((store, part, KIND_OF[verb]))
        held = list(self.worlds[world])
        held += [-1] * (place + 1 - len(held))
        after, result = self._once.get((held[place], operation), (None, None))
        if after is None:
            after, result = self._on_part(held[place], store, part, verb, text)
            self._once[held[place], operation] = after, result
        held[place] = after
        return self._world(held), result

    def _world(self, held):
        while held and held[-1] == -1:
            held.pop()
        return self.worlds.of(tuple(held))

    def _on_part(self, number, store, part, verb, text):
        kind = KIND_OF[verb]
        before = EMPTY[kind] if number == -1 else self.held[number]
        memory = MemoryStore(store)
        shelf = getattr(memory, SHELVES[kind])
        if number != -1:
            shelf[part] = list(before) if kind in ("log", "inbox") else before
        result = self._perform(memory, part, verb, text)
        after = shelf.get(part, EMPTY[kind])
        if kind == "inbox":
            after = sorted(after, key=lambda waiting: waiting[0])
        if kind in ("log", "inbox"):
            after = tuple(after)
        if part in VERSIONLESS and verb == "write":
            after = (1, after[1])
        gone = after == EMPTY[kind] and (number == -1 or kind in ("inbox", "lock"))
        return (-1 if gone else self.held.of(after)), result

    def _perform(self, memory, part, verb, text):
        try:
            return self.results.of(("value", encode(memory.do(part, verb, *decode(text)).value)))
        except BadInput as why:
            return self.results.of(("error", str(why)))

    def look(self, world):
        """Return {(store, part): content} of a world: a cell's (version, text), a log's texts, a table's number."""
        return {
            self.parts[place][:2]: self.held[number] for place, number in enumerate(self.worlds[world]) if number != -1
        }
