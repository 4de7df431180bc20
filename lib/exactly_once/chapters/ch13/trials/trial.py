"""What trials have in common: the broker for them, their steps, and the result."""

import secrets
import textwrap
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

from ....errors import CourseError
from ....log.errors import TimedOut

ACCEPTED = "accepted"
INSIST_SECONDS = 60
WIDTH = 100  # characters of a line in a notebook's output
SOONER = (  # settings of a broker on which things happen soon that take a minute at work; or that happened before 3.6
    "transaction.partition.verification.enable=false",
    "transaction.abort.timed.out.transaction.cleanup.interval.ms=200",
    "group.min.session.timeout.ms=500",
)


class Step(NamedTuple):
    """One step, `seconds` after the trial began: its actor, the action, and the answer."""

    seconds: float
    who: str
    does: str
    hears: str


class Trial(SimpleNamespace):
    """The result of a trial: `steps` in the order of their ends, a `sentence` on them, and what was found."""

    steps: "Steps"
    sentence: str

    def __repr__(self) -> str:
        return f"{table(('s', 'who', 'does', 'hears'), self.steps)}\n{textwrap.fill(self.sentence, WIDTH)}"


class Steps(list[Step]):
    """The steps of a trial that is under way, and how its topics, groups and ids are named, as no other's are."""

    def __init__(self) -> None:
        self._began, self.names = time.monotonic(), f"trial-{secrets.token_hex(3)}-"

    def note(self, who: str, does: str, hears: object = ACCEPTED) -> None:
        """Note a step that ends now."""
        self.append(Step(round(time.monotonic() - self._began, 1), who, does, str(hears)))

    def ask(self, who: str, does: str, call: Callable[[], object]) -> str:
        """Call, note what came of it, and return that: "accepted", or the name of the error."""
        hears = answer(call)
        self.note(who, does, hears)
        return hears


def answer(call: Callable[[], object]) -> str:
    """Return "accepted", or the name of the error."""
    try:
        call()
    except CourseError as why:
        return type(why).__name__
    return ACCEPTED


def often(count: int) -> str:
    """Return a number of times in words."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def table(heads: tuple[str, ...], rows: Any) -> str:
    """Return rows as a table of text."""
    cells = [heads, *(tuple(map(str, row)) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]
    return "\n".join([lines[0], "-" * (sum(widths) + 2 * len(widths) - 2), *lines[1:]])


def insisted(call: Callable[[], object]) -> None:
    """Make a call again when it times out: a broker that has just started takes its time. Raises `TimedOut` after
    `INSIST_SECONDS`.
    """
    deadline = time.monotonic() + INSIST_SECONDS
    while True:
        try:
            call()
            return
        except TimedOut:
            if time.monotonic() > deadline:
                raise
