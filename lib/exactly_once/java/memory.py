"""How much memory a start can count on, and saying so before Spark fails in silence."""

from pathlib import Path

import psutil

from ..errors import CourseError

CONTROL = Path("/sys/fs/cgroup")  # where a container's limits stand (Linux, version 2)
MIB = 2**20


def container() -> tuple[int, int] | None:
    """Return (the limit, the use) in bytes of the container that this is, or None where there is no limit."""
    try:
        details = dict(line.split() for line in (CONTROL / "memory.stat").read_text().splitlines())
        used = int((CONTROL / "memory.current").read_text()) - int(details["inactive_file"])
        return int((CONTROL / "memory.max").read_text()), used  # "max" means no limit, and is no number
    except (OSError, ValueError, KeyError):
        return None


def available() -> int:
    """Return the bytes that can be had: the machine's, or a container's if its limit is nearer."""
    free, found = psutil.virtual_memory().available, container()
    return free if found is None else min(free, max(0, found[0] - found[1]))


def check(needed: int) -> None:
    """Raise `CourseError` naming the number and the remedy when fewer than `needed` MiB can be had."""
    free = available() // MIB
    if free < needed:
        raise CourseError(
            f"A cluster needs about {needed} MiB of memory and {free} MiB are free. Close other notebooks "
            "(menu Kernel, Shut Down) or programs, then call cluster() again."
        )
