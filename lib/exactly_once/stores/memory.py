"""A store in memory, for simulated worlds: contents cannot be changed in place, so it is cheap to copy and
compare.
"""

import contextlib
from collections.abc import Hashable
from contextlib import AbstractContextManager
from dataclasses import replace

from .codec import decode, encode
from .interface import Entry, Store
from .operations import KINDS, Content, Place


class MemoryStore(Store):
    """One system in one process's memory. It is not for threads."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.parts: dict[Place, Content] = {}
        self.clocks: dict[str, int] = {}
        self.entries: list[Entry] = []

    def copy(self) -> "MemoryStore":
        """Return an independent copy."""
        twin = MemoryStore(self.name)
        twin.parts, twin.clocks, twin.entries = dict(self.parts), dict(self.clocks), list(self.entries)
        return twin

    def contents(self) -> Hashable:
        """Return all contents as one hashable value, without versions, stamps and journal."""
        parts = sorted(self.parts.items())
        return tuple((place, content[1] if place[0] == "cell" else content) for place, content in parts)

    def _changing(self) -> AbstractContextManager[object]:
        return contextlib.nullcontext()

    _looking = _changing

    def _get(self, kind: str, part: str) -> Content:
        return self.parts.get((kind, part), KINDS[kind].empty)

    def _put(self, kind: str, part: str, content: Content) -> None:
        if content == KINDS[kind].empty:
            self.parts.pop((kind, part), None)
        else:
            self.parts[kind, part] = content

    def _clock(self, part: str) -> int:
        return self.clocks.get(part, 0)

    def _note(self, entry: Entry) -> None:
        self.clocks[entry.part] = entry.sent
        self.entries.append(replace(entry, value=encode(entry.value)))

    def held(self, kind: str) -> dict[str, Content]:
        """Return {part: content} of all parts of a kind that hold anything."""
        return {part: content for (one, part), content in self.parts.items() if one == kind}

    def free(self, life: int) -> None:
        """Let go of all that an incarnation holds."""
        for (kind, part), content in list(self.parts.items()):
            if (passed := KINDS[kind].passed) is not None:
                self._put(kind, part, passed(content, life, None))

    def journal(self, after: int = 0) -> list[Entry]:
        """Return the journal's entries from number `after` on."""
        return [replace(entry, value=decode(entry.value)) for entry in self.entries[after:]]
