"""What the stores hold, as whole numbers: each content of a part is kept once, and each operation on it done once.

The operations themselves are those of `MemoryStore`. Versions are kept where a handler can see them, in registers;
of positions and state it sees only whether anything was written.
"""

from ..errors import BadInput
from ..stores import MemoryStore
from ..stores.codec import decode, encode

UNKNOWN = 0
REFUSED = 1
VERSIONLESS = ("positions", "state")
EMPTY = {"cell": (0, "null"), "log": (), "table": 0}
KIND_OF = {"read": "cell", "write": "cell", "cas": "cell", "append": "log", "fetch": "log", "add": "table"}


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

    def operation(self, store, part, verb, arguments):
        """Return the number of an operation. Raises `BadInput` when the arguments are not fit for a store."""
        return self.operations.of((store, part, verb, encode(list(arguments))))

    def do(self, world, operation):
        """Return (world after, result) of an operation, as numbers."""
        found = self._done.get((world, operation))
        if found is None:
            found = self._done[world, operation] = self._do(world, operation)
        return found

    def _do(self, world, operation):
        store, part, verb, text = self.operations[operation]
        if verb == "refused":
            return world, REFUSED
        if part == "input":
            return world, self._perform(self.inputs, part, verb, text)
        place = self.parts.of((store, part, KIND_OF[verb]))
        held = list(self.worlds[world])
        held += [-1] * (place + 1 - len(held))
        after, result = self._once.get((held[place], operation), (None, None))
        if after is None:
            after, result = self._on_part(held[place], store, part, verb, text)
            self._once[held[place], operation] = after, result
        held[place] = after
        while held and held[-1] == -1:
            held.pop()
        return self.worlds.of(tuple(held)), result

    def _on_part(self, number, store, part, verb, text):
        kind = KIND_OF[verb]
        before = EMPTY[kind] if number == -1 else self.held[number]
        memory = MemoryStore(store)
        shelf = {"cell": memory.cells, "log": memory.logs, "table": memory.tables}[kind]
        if number != -1:
            shelf[part] = list(before) if kind == "log" else before
        result = self._perform(memory, part, verb, text)
        after = shelf.get(part, EMPTY[kind])
        if kind == "log":
            after = tuple(after)
        if part in VERSIONLESS and verb == "write":
            after = (1, after[1])
        return (-1 if after == EMPTY[kind] and number == -1 else self.held.of(after)), result

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
