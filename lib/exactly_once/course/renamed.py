"""Renamed chapters, questions, gaps and exercises: work that was saved under old names still counts.

Chapter 10, *Concurrent exactly-once*, became two: 10, *The lock-free handler*, and 11, *What it promises*. Spark's
own exactly-once, real servers and costs, which were to be 11, 12 and 13, are 12, 13 and 14 since then.

Saved work keeps its old names; the course looks them up here when it reads the work. `None` stands for a question, a
gap or an exercise that has left the course.
"""

from ..doors import RESET
from ..errors import BadInput

CHAPTERS = {"10-concurrent-exactly-once": "10"}
PREDICTIONS: dict[str, str | None] = {
    "03-lab": None,
    "05-lab": None,
    "10-articles": "11-articles",
    "10-blocked": "11-blocked",
    "10-mutants": "11-mutants",
    "10-waits": "11-waits",
    "10-years": "11-years",
}
GAPS: dict[str, str | None] = {  # None: it went; who has filled it keeps the answer
    "01-no-counter": None,
    "02-elect": None,
    "03-overwrite": None,
    "04-invariant": None,
    "04-never-twice": None,
    "04-trim": None,
    "04-try-again": None,
    "08-collide": None,
    "08-missing": None,
    "08-release": None,
    "10-database": None,
    "10-sent": None,
    "10-withdraw": None,
    "12-copies": None,
    "13-window": None,
}
EXERCISES: dict[str, str | None] = {
    "01c": None,
    "01e": None,
    "02a": None,
    "02c": None,
    "03d": None,
    "04b": None,
    "05d": None,
    "06c": None,
    "06e": None,
    "06f": None,
    "07d": None,
    "08c": None,
    "09c": None,
    "10d": None,
    "12c": None,
    "13c": None,
}
NAMES = PREDICTIONS | GAPS | EXERCISES


def now(name):
    """Return the present name of a question, gap or exercise; for a removed or unchanged name, the same name."""
    return NAMES.get(name) or name


def refuse_gone(name):
    """Raise `BadInput` for a gap or an exercise that has left the course; an older copy still asks for it."""
    if name in [old for old, new in NAMES.items() if new is None]:
        raise BadInput(f"{name} has left the course, and this copy is older. {RESET}")


def earlier(name):
    """Return the older names of a question, gap or exercise."""
    return [old for old, new in NAMES.items() if new == name]


def by_new_names(found):
    """Return {name: entry} with today's names; of an entry under both the newer one counts."""
    return {now(name): entry for name, entry in found.items() if now(name) != name} | {
        name: entry for name, entry in found.items() if now(name) == name
    }
