"""Read a checkpoint folder: the batches that the engine has planned and committed, and the effect of a restart."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import BadInput
from ...paths import FileName, file_named


@dataclass(frozen=True)
class Checkpoint:
    """What stands in a checkpoint folder.

    `query` is the query's id ("" before it is written); `offsets` gives for each batch id where the batch ends in
    each source, `commits` the batch ids that are committed; `state` gives for each partition of the stateful operator
    the versions that its store has (version N + 1 is the state after batch N).
    """

    folder: Path
    query: str
    offsets: dict[int, tuple[Any, ...]]
    commits: tuple[int, ...]
    state: dict[int, tuple[int, ...]]

    @property
    def restart(self) -> str:
        """What a restart of the query does first, in a sentence."""
        if not self.offsets:
            return "Nothing is planned yet: a restart begins with batch 0, at the source's first offset."
        last = max(self.offsets)
        if last in self.commits:
            return (
                f"offsets/{last} and commits/{last} are both there: a restart goes on with batch {last + 1}, from "
                f"{_offset(self.offsets[last])}."
            )
        return (
            f"offsets/{last} is there and commits/{last} is not: a restart runs batch {last} again, same id, "
            f"up to the same offset {_offset(self.offsets[last])}."
        )

    def __str__(self) -> str:
        return (
            f"query {self.query or 'without an id'}: offsets {_ids(self.offsets)}, commits {_ids(self.commits)}. "
            f"{self.restart}"
        )


def checkpoint_of(folder: FileName) -> Checkpoint:
    """Read a checkpoint folder. Raises `BadInput` if there is none."""
    place = file_named("The checkpoint's folder", folder)
    if not place.is_dir():
        raise BadInput(f"There is no checkpoint folder {place}. Give the checkpointLocation of a query.")
    parts = place / "state" / "0"
    return Checkpoint(
        place,
        _read(place / "metadata", 0).get("id", ""),
        {batch: _ends(place / "offsets" / str(batch)) for batch in _batches(place / "offsets")},
        tuple(_batches(place / "commits")),
        {int(part.name): _versions(part) for part in sorted(parts.glob("[0-9]*"))} if parts.is_dir() else {},
    )


def _batches(place: Path) -> list[int]:
    """Return the ids of the batches in a log; temporary files have other names."""
    return sorted(int(path.name) for path in place.iterdir() if path.name.isdigit()) if place.is_dir() else []


def _read(path: Path, line: int) -> dict[str, Any]:
    """Return what a line of a file of the log holds, or {} if there is no such line."""
    lines = path.read_text().splitlines() if path.exists() else []
    return json.loads(lines[line]) if line < len(lines) else {}


def _ends(path: Path) -> tuple[Any, ...]:
    """Return where a batch ends in each of the sources: the lines after the version and the settings."""
    return tuple(json.loads(line) if line != "-" else None for line in path.read_text().splitlines()[2:])


def _versions(place: Path) -> tuple[int, ...]:
    found = {
        int(name[1]) for path in place.iterdir() if (name := re.fullmatch(r"(\d+)\.(?:delta|snapshot)", path.name))
    }
    return tuple(sorted(found))


def _offset(ends: tuple[Any, ...]) -> str:
    return ", ".join("–" if end is None else json.dumps(end) for end in ends)


def _ids(batches: Any) -> str:
    return f"{min(batches)} to {max(batches)}" if batches else "none"
