"""How much memory a start can count on, and saying so before Spark fails in silence."""

from collections.abc import Iterator
from pathlib import Path

import psutil

from ..errors import CourseError

CONTROL = Path("/sys/fs/cgroup")  # where a container's limits stand (Linux, version 2, then version 1)
LIMITS = (
    ("memory.max", "memory.current", "memory.stat"),
    ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes", "memory/memory.stat"),
)
MIB = 2**20


def available() -> int:
    """Return the bytes that can be had: the machine's, or a container's if its limit is nearer."""
    return min([psutil.virtual_memory().available, *_container()])


def check(needed: int) -> None:
    """Raise `CourseError` naming the number and the remedy when fewer than `needed` MiB can be had."""
    free = available() // MIB
    if free < needed:
        raise CourseError(
            f"A cluster needs about {needed} MiB of memory and {free} MiB are free. Close other notebooks "
            "(menu Kernel, Shut Down) or programs, then call cluster() again."
        )


def _container() -> Iterator[int]:
    for limit, used, details in LIMITS:
        try:
            most = int((CONTROL / limit).read_text())  # "max" means no limit, and is no number
            cached = _field(CONTROL / details, "inactive_file")
            yield max(0, most - int((CONTROL / used).read_text()) + cached)
        except (OSError, ValueError):
            continue


def _field(path: Path, name: str) -> int:
    for line in path.read_text().splitlines():
        key, _, value = line.partition(" ")
        if key == name:
            return int(value)
    return 0
