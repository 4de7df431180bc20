"""A store in memory, for simulated worlds: values are kept as text, so it is cheap to copy and to compare."""

from dataclasses import replace

from .codec import decode, encode
from .interface import Blocked, Reply, Store, checked_sum, journal_entry


class MemoryStore(Store):
    """One system in one process's memory. It is not for threads."""

    def __init__(self, name):
        self.name = name
        self.cells = {}
        self.logs = {}
        self.tables = {}
        self.inboxes = {}  # lists of (sender, text)
        self.locks = {}
        self.clocks = {}
        self.entries = []

    def copy(self):
        """Return an independent copy; texts and entries are immutable and shared."""
        twin = MemoryStore(self.name)
        twin.cells, twin.tables, twin.clocks = dict(self.cells), dict(self.tables), dict(self.clocks)
        twin.logs = {part: list(values) for part, values in self.logs.items()}
        twin.inboxes = {part: list(values) for part, values in self.inboxes.items()}
        twin.locks = dict(self.locks)
        twin.entries = list(self.entries)
        return twin

    def contents(self):
        """Return all contents as one hashable value, without versions, stamps and journal."""
        return (
            tuple(sorted((part, value) for part, (_, value) in self.cells.items())),
            tuple(sorted((part, tuple(values)) for part, values in self.logs.items())),
            tuple(sorted(self.tables.items())),
            tuple(sorted((part, tuple(values)) for part, values in self.inboxes.items() if values)),
            tuple(sorted(self.locks.items())),
        )

    def _do(self, part, verb, arguments, origin):
        value, noted = getattr(self, f"_{verb}")(part, *arguments)
        entry = journal_entry(self.clocks.get(part, 0), part, verb, encode(noted), origin)
        self.clocks[part] = entry.sent
        self.entries.append(entry)
        return Reply(value, entry.received, entry.sent)

    def _read(self, part):
        version, text = self.cells.get(part, (0, "null"))
        return [version, decode(text)], None

    def _write(self, part, value):
        version = self.cells.get(part, (0, None))[0] + 1
        self.cells[part] = (version, encode(value))
        return version, value

    def _cas(self, part, expected, value):
        version = self.cells.get(part, (0, None))[0]
        if version != expected:
            return False, None
        self.cells[part] = (version + 1, encode(value))
        return True, value

    def _append(self, part, value):
        text = encode(value)  # first, so that a refused value leaves nothing behind
        log = self.logs.setdefault(part, [])
        log.append(text)
        return len(log) - 1, value

    def _fetch(self, part, offsets, limit):
        found = {}
        for stream, offset in offsets.items():
            log = self.logs.get(f"{part}.{stream}", [])
            found[stream] = [decode(text) for text in log[offset : offset + limit]]
        return found, None

    def _add(self, part, number):
        self.tables[part] = checked_sum(part, self.tables.get(part, 0), number)
        return self.tables[part], self.tables[part]

    def _put(self, part, sender, message):
        text = encode(message)
        self.inboxes.setdefault(part, []).append((sender, text))
        return None, [sender, message]

    def _take(self, part, sender):
        waiting = self.inboxes.get(part, [])
        for number, (whose, text) in enumerate(waiting):
            if sender in (None, whose):
                del waiting[number]
                found = [whose, decode(text)]
                return found, found
        raise Blocked(f"No message {f'of {sender} ' if sender else ''}waits in {part}.")

    def _acquire(self, part, life):
        if self.locks.setdefault(part, life) != life:
            raise Blocked(f"Life {self.locks[part]} holds {part}.")
        return None, life

    def _release(self, part, life):
        held = self.locks.get(part) == life
        if held:
            del self.locks[part]
        return held, held

    def free(self, life):
        """Let go of all locks that a life holds."""
        self.locks = {part: holder for part, holder in self.locks.items() if holder != life}

    def fill(self, part, values):
        """Append many values to a log; no clock ticks."""
        texts = [encode(value) for value in values]
        self.logs.setdefault(part, []).extend(texts)

    def _look(self, part, kind):
        if kind == "cell":
            return decode(self.cells.get(part, (0, "null"))[1])
        if kind == "log":
            return [decode(text) for text in self.logs.get(part, ())]
        if kind == "inbox":
            return [[sender, decode(text)] for sender, text in self.inboxes.get(part, ())]
        return self.locks.get(part) if kind == "lock" else self.tables.get(part, 0)

    def journal(self, after=0):
        """Return the journal's entries from number `after` on."""
        return [replace(entry, value=decode(entry.value)) for entry in self.entries[after:]]
