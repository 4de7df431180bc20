"""Exercises whose answer is a function that talks to a server: every request of it may meet a mishap (13b).

The server is a model. All lists of mishaps are tried, the shortest first. Each call is one of a process of its own.
"""

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, ClassVar, NamedTuple

from ...errors import own_lines, words_of
from ...node.pickling import pickle_handler, unpickle_handler
from ...show import Picture
from ..kinds.kind import Kind
from ..kinds.old_gap import untouched
from ..kinds.reply import Reply, right, unsolved, wrong
from ..kinds.run_answer import called

MOST_REQUESTS = 60  # of one run; who needs more goes round in circles
SECONDS = 30.0


class Endless(BaseException):
    """The function makes request after request. No error of a program's, so that none of its handlers catches it."""


class Server(ABC):
    """A model of a server. `mishaps` are {number of a request: what happens there}.

    A subclass has the requests, each of which begins with `self.asked(…)`, and `told()`.
    """

    CALLS: ClassVar[Sequence[tuple[Any, ...]]] = ()  # the arguments behind the server, call by call

    def __init__(self, mishaps: dict[int, str]) -> None:
        self.mishaps, self.requests = mishaps, 0
        self.lines: list[str] = []
        self.possible: list[tuple[int, str]] = []
        self.beside: Callable[[Server], Any] = lambda other: None  # the call that is made, by another process

    def asked(self, words: str, *kinds: str) -> str:
        """Note a request, which could meet a mishap of one of these kinds; return the one that it meets, or ""."""
        number, self.requests = self.requests, self.requests + 1
        if number >= MOST_REQUESTS:
            raise Endless
        self.possible += [(number, kind) for kind in kinds]
        met = self.mishaps.get(number, "")
        self.lines.append(f"{words}: {met}" if met else words)
        return met

    @abstractmethod
    def told(self) -> str:
        """Return a sentence on what is wrong after all calls, or ""."""


class Ran(NamedTuple):
    """One run: what is wrong, its lines, the mishaps that it could meet, and the learner's lines that raised."""

    sentence: str
    lines: tuple[str, ...]
    possible: tuple[tuple[int, str], ...] = ()
    traceback: str = ""


def _beside(packed: bytes, call: tuple[Any, ...], other: Server) -> object:
    """Make a call of the learner's function against another server."""
    return unpickle_handler(packed)(other, *call)


def ran(theirs: Callable[..., Any], kind: type[Server], mishaps: dict[int, str]) -> Ran:
    """Return what all calls of a function lead to."""
    server, packed, sentence, traceback = kind(mishaps), pickle_handler(theirs), "", ""
    for call in kind.CALLS:
        server.lines.append(f"call {', '.join(map(repr, call))}")
        server.beside = functools.partial(_beside, packed, call)
        try:
            unpickle_handler(packed)(server, *call)
        except Endless:
            sentence = f"After {MOST_REQUESTS} requests your function still makes more of them."
        except BaseException as why:  # noqa: BLE001 - whatever a learner's code raises, SystemExit too, is told
            sentence, traceback = f"Your function fails with {words_of(why)}.", own_lines(why)
        if sentence:
            break
    return Ran(sentence or server.told(), tuple(server.lines), tuple(server.possible), traceback)


def searched(theirs: Callable[..., Any], kind: type[Server], most: int) -> tuple[Ran, int]:
    """Return the run with the fewest mishaps, up to `most`, after which something is wrong, or the calm one; and how
    many were tried."""
    tried, calm, lists = 0, None, [{}]
    for _ in range(most + 1):
        longer = []
        for mishaps in lists:
            found = ran(theirs, kind, mishaps)
            tried, calm = tried + 1, calm or found
            if found.sentence:
                return found, tried
            last = max(mishaps, default=-1)
            longer += [{**mishaps, at: what} for at, what in found.possible if at > last]
        lists = longer
    assert calm is not None
    return calm, tried


@dataclass(frozen=True, kw_only=True)
class Struck(Kind):
    """One exercise with a function for a `server`, struck by up to `most` mishaps; `praise` may name {tried}."""

    server: type[Server]
    praise: str
    calls: Sequence[tuple[str, str]]
    most: int = 2

    def check(self, answer: Any) -> Reply:
        """Try every list of mishaps."""
        if not self.is_there(answer) or untouched(answer):
            return unsolved(self.asks)
        found, tried = called(searched, answer, self.server, self.most, seconds=SECONDS)
        if found.sentence:
            return wrong(found.sentence, picture=drawn(found.lines, found.sentence), traceback=found.traceback)
        return right(self.praise.format(tried=f"{tried:,}"), picture=drawn(found.lines))

    def show(self, answer: Any) -> Picture:
        """Draw the requests of a calm run; without a function, the server's calls."""
        if self.is_there(answer) and not untouched(answer):
            found = called(ran, answer, self.server, {})
            return drawn(found.lines, found.sentence)
        return drawn([f"{call}: {purpose}" for call, purpose in self.calls])


def drawn(lines: Sequence[str], sentence: str = "") -> Picture:
    """Return the picture of a list of requests."""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    said = f"<p><b>{escape(sentence)}</b></p>" if sentence else ""
    return Picture(
        f'<ol class="eo-requests">{items}</ol>{said}', text="\n".join([*lines, *([sentence] if said else [])])
    )
