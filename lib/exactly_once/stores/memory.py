"""A store in memory, for simulated worlds: contents cannot be changed in place, so it is cheap to copy and
compare.
"""

import contextlib
from dataclasses import replace

from .codec import decode, encode
from .interface import Store
from .operations import KINDS


class MemoryStore(Store):
    """One system in one process's memory. It is not for threads."""

    def __init__(self, name):
        self.name = name
        self.parts = {}  # (kind, part): content
        self.clocks = {}
        self.entries = []

    def copy(self):
        """Return an independent copy."""
        twin = MemoryStore(self.name)
        twin.parts, twin.clocks, twin.entries = dict(self.parts), dict(self.clocks), list(self.entries)
        return twin

    def contents(self):
        """Return all contents as one hashable value, without versions, stamps and journal."""
        parts = sorted(self.parts.items())
        return tuple((place, content[1] if place[0] == "cell" else content) for place, content in parts)

    def _changing(self):
        return contextlib.nullcontext()

    _looking = _changing

    def _get(self, kind, part):
        return self.parts.get((kind, part), KINDS[kind].empty)

    def _put(self, kind, part, content):
        if content == KINDS[kind].empty:
            self.parts.pop((kind, part), None)
        else:
            self.parts[kind, part] = content

    def _clock(self, part):
        return self.clocks.get(part, 0)

    def _note(self, entry):
        self.clocks[entry.part] = entry.sent
        self.entries.append(replace(entry, value=encode(entry.value)))

    def held(self, kind):
        """Return {part: content} of all parts of a kind that hold anything."""
        return {part: content for (one, part), content in self.parts.items() if one == kind}

    def free(self, life):
        """Let go of all locks that a life holds."""
        for part, holder in self.held("lock").items():
            if holder[0] == life:
                del self.parts["lock", part]

    def journal(self, after=0):
        """Return the journal's entries from number `after` on."""
        return [replace(entry, value=decode(entry.value)) for entry in self.entries[after:]]
