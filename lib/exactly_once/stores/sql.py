"""A store whose contents are rows of a SQL database: the statements that all of these have in common."""

import time
from abc import abstractmethod
from dataclasses import fields
from typing import Any

from .codec import decode, encode, tuples
from .interface import Entry, Store
from .operations import KINDS, Content

COLUMNS = ", ".join(field.name for field in fields(Entry))  # of the journal, beside each entry's number
PLACES = ", ".join("?" for _ in fields(Entry))


class SQLStore(Store):
    """One system in tables: `parts` with the contents, `clocks` with each part's stamp, and the `journal`."""

    @abstractmethod
    def _rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Carry out a statement, in which each value is a question mark, and return its rows."""

    def _clock(self, part: str) -> int:
        found = self._rows("SELECT stamp FROM clocks WHERE part = ?", part)
        return found[0][0] if found else 0

    def _note(self, entry: Entry) -> None:
        self._rows(
            "INSERT INTO clocks VALUES (?, ?) ON CONFLICT (part) DO UPDATE SET stamp = excluded.stamp",
            entry.part, entry.sent,
        )  # fmt: skip
        texts = {"value": encode(entry.value), "inputs": encode(entry.inputs)}
        columns = vars(entry) | texts | {"wall": time.time()}
        number = "(SELECT coalesce(max(number), 0) + 1 FROM journal)"  # no gap, also where a sequence would leave one
        self._rows(f"INSERT INTO journal (number, {COLUMNS}) VALUES ({number}, {PLACES})", *columns.values())

    def free(self, life: int) -> None:
        """Let go of all that an incarnation holds."""
        with self._changing():
            for kind, passed in [(name, kind.passed) for name, kind in KINDS.items() if kind.passed is not None]:
                for part, content in self.held(kind).items():
                    if (after := passed(content, life, None)) != content:
                        self._put(kind, part, after)

    def journal(self, after: int = 0) -> list[Entry]:
        """Return the journal's entries from number `after` on."""
        with self._looking():
            rows = self._rows(f"SELECT {COLUMNS} FROM journal WHERE number > ? ORDER BY number", after)
        return [
            Entry(part, verb, decode(value), life, step, item, received, sent, tuples(decode(inputs)), *rest)
            for part, verb, value, life, step, item, received, sent, inputs, *rest in rows
        ]

    def held(self, kind: str) -> dict[str, Content]:
        """Return {part: content} of all parts of a kind that hold anything."""
        with self._looking():
            parts = [part for (part,) in self._rows("SELECT part FROM parts WHERE kind = ?", kind)]
            found = {part: self._get(kind, part) for part in parts}
        return {part: content for part, content in found.items() if content != KINDS[kind].empty}
