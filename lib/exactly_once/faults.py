"""Fault plans: which fault strikes where, as plain data with a short token that can be pasted and replayed.

A token ends with a check that every slip of the keyboard changes: `sealed` makes it, `unsealed` looks at it.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Self, TypeAlias, get_args

from .errors import BadInput, one_of, whole

Point: TypeAlias = Literal["A", "B", "C", "D", "E"]
FaultKind: TypeAlias = Literal[
    "crash",
    "crash before",
    "crash after",
    "lost request",
    "lost reply",
    "duplicated request",
    "late request",
    "pause",
    "crash-stop",
]
Kill: TypeAlias = Literal["worker", "executor"]
POINTS: tuple[Point, ...] = get_args(Point)
_OF_STORES = (
    "read:r write:w cas:c rename:n append:a scan:s add:d total:t transact:x prepare:p prepared:l commit_prepared:k "
    "rollback_prepared:b"
)
_VERBS = {  # of a part: its letter in tokens, and its verbs with theirs
    "positions": "p load:l save:s",
    "state": "s load:l save:s",
    "input": "i read:r",
    "output": "o push:p read:r",
    "database": f"d increment:i {_OF_STORES}",
    "register": "r read:r cas:c",
    "message": "m send:s receive:r",
    "lock": "l acquire:a release:r",
    "store": f"x {_OF_STORES}",
    "engine": "e fence:f decided:d commit:c",
    "queue": "q close:c",
    "log": "g append:a send:s acknowledgement:k fetch:f commit:c committed:o producer_id:p broker:b close:x",
    "transaction": "t init:i settled:w add_partitions:a send:s offsets:o end:e positions:p state:t leave:x",
    "coordinator": "c recover:r due:d marker:m complete:c",
    "row": "w begin:b read:r read_for_update:f update:u insert:i commit:c rollback:k",
}
STEPS = {"choose": "ch"} | {
    f"{part}.{verb.split(':')[0]}": letter + verb.split(":")[1]
    for part, (letter, *verbs) in ((part, text.split()) for part, text in _VERBS.items())
    for verb in verbs
}
# Steps without a message that could get lost; and messages over a connection: never late or twice.
SURE = ("choose", "log.acknowledgement", "log.close", "transaction.leave", "queue.close")
CONNECTED = tuple(step for step in STEPS if step.startswith("row."))
KINDS: dict[FaultKind, str] = {
    "crash": "",
    "crash before": "b",
    "crash after": "a",
    "lost request": "q",
    "lost reply": "r",
    "duplicated request": "d",
    "late request": "t",
    "pause": "p",
    "crash-stop": "s",
}
LASTING = ("late request", "duplicated request", "pause")  # kinds that take `until`
KILLS: dict[Kill, str] = {"worker": "w", "executor": "x"}
LONGEST = 100_000  # characters of a token
_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
_PRIME = 1_048_573  # the largest below 32**4, what four characters can say
FORMAT = "eo2"
READ = ("eo1", FORMAT)  # what eo1 can say, eo2 says alike
MOST = 999_999
_NUMBER = "[1-9][0-9]{0,5}"
_FAULT = re.compile(
    rf"(?P<at>[A-E]|[a-z]{{2}})(?P<kind>[baqrdtps]?)(?P<item>{_NUMBER}|\*)(?P<kill>[wx])"
    rf"(?:l(?P<lives>{_NUMBER}(?:_{_NUMBER})*))?(?:n(?P<node>{_NUMBER}))?(?:u(?P<until>{_NUMBER}))?"
)


@dataclass(frozen=True)
class Fault:
    """One fault.

    `at` is a crash point A–E or a step such as "output.push". `item` is the hour, or the record's number, of the
    strike (None: the first one that comes). `kind` is "crash" or "pause" for crash points; for steps "crash before",
    "crash after" (done, but the reply never seen), "lost request", "lost reply", "duplicated request", "late request"
    (the sender is told that the outcome is unknown, and the request arrives later) or "pause" (the incarnation sleeps
    before the step, and the node's next incarnation begins). "crash-stop", at a crash point or before a step, is a
    crash after which the node never begins another incarnation: the crash-stop failure of the literature, where all
    others recover. `kill` is the process that a crash kills: the Python worker, or the whole executor. The fault
    strikes once, the first incarnation that gets there; if `lives` names incarnations, it strikes each of them.
    `node` names the node, from 1 on (None: the first node that gets there).

    `until` is the number of steps, of all incarnations, before a late request arrives or a sleeper wakes up; None:
    once all nodes have ended. A duplicated request arrives right behind the first, or, with `until`, so many steps
    later. Raises `BadInput` for any other value.
    """

    at: str
    item: int | None = None
    kind: FaultKind = "crash"
    kill: Kill = "worker"
    lives: Sequence[int] | None = None
    node: int | None = None
    until: int | None = None

    def __post_init__(self) -> None:
        one_of("the place of a fault", self.at, [*POINTS, *STEPS])
        one_of("the kind of a fault", self.kind, KINDS)
        one_of("what a crash kills", self.kill, KILLS)
        for name in ("item", "node", "until"):
            if getattr(self, name) is not None:
                whole(f"the {name} of a fault", getattr(self, name), least=1, most=MOST)
        if self.kind not in ("pause", "crash-stop") and (self.at in POINTS) != (self.kind == "crash"):
            hint = "a crash point takes the kind 'crash'" if self.at in POINTS else f"a step takes {list(KINDS)[1:]}"
            raise BadInput(f"A fault of kind {self.kind!r} cannot strike at {self.at!r}: {hint}.")
        if self.at in SURE and not (self.deadly or self.kind == "pause"):
            raise BadInput(
                f"A fault of kind {self.kind!r} cannot strike at {self.at!r}, where no message gets lost: it takes "
                "crashes and pauses."
            )
        if self.at in CONNECTED and self.kind in ("duplicated request", "late request"):
            raise BadInput(
                f"A fault of kind {self.kind!r} cannot strike at {self.at!r}: a connection to a database "
                "delivers each request once and in order."
            )
        if self.until is not None and self.kind not in LASTING:
            raise BadInput(f"A fault of kind {self.kind!r} was given until={self.until}: it is over when it strikes.")
        if self.lives is not None:
            object.__setattr__(self, "lives", _lives(self.lives))

    @property
    def deadly(self) -> bool:
        """True for the kinds that end an incarnation."""
        return self.kind.startswith("crash")

    def strikes(self, at: str, kind: FaultKind, items: Collection[int], life: int, node: int = 1) -> bool:
        """Tell whether this fault applies to the given place, kind, life and node, at a step that concerns
        `items`.
        """
        return (
            self.at == at
            and self.kind == kind
            and (self.item is None or self.item in items)
            and (self.lives is None or life in self.lives)
            and self.node in (None, node)
        )

    @property
    def place(self) -> str:
        """The place in words: "B", "after output.push" or "lost reply of output.push"."""
        if self.kind == "crash":
            return self.at
        if self.kind == "crash-stop":
            return f"for good at {self.at}"
        return f"{self.kind.removeprefix('crash ')} {self.at}" if self.deadly else f"{self.kind} of {self.at}"

    def code(self) -> str:
        """Return the fault's part of a token."""
        at = (self.at if self.at in POINTS else STEPS[self.at]) + KINDS[self.kind]
        more = "l" + "_".join(map(str, self.lives)) if self.lives else ""
        more += f"n{self.node}" if self.node else ""
        more += f"u{self.until}" if self.until else ""
        return f"{at}{'*' if self.item is None else self.item}{KILLS[self.kill]}{more}"

    @classmethod
    def parse(cls, code: str) -> Self:
        """Return the fault that `code` wrote. Raises `BadInput` for anything else."""
        found = _FAULT.fullmatch(str(code))
        steps = {short: step for step, short in STEPS.items()}
        at = found["at"] if found else ""
        place = at if at in POINTS else steps.get(at)
        if found is None or place is None or (place not in POINTS and not found["kind"]):
            raise BadInput(f"{code!r} is no fault of a token; a crash at B at item 3 of a worker reads 'B3w'.")
        kind = {short: name for name, short in KINDS.items()}[found["kind"] or ""]
        return cls(
            at=place,
            item=None if found["item"] == "*" else int(found["item"]),
            kind=kind,
            kill={short: name for name, short in KILLS.items()}[found["kill"]],
            lives=tuple(map(int, found["lives"].split("_"))) if found["lives"] else None,
            node=int(found["node"]) if found["node"] else None,
            until=int(found["until"]) if found["until"] else None,
        )


@dataclass(frozen=True)
class FaultPlan:
    """All the faults of one run, as plain data. An empty plan is a run in which nothing goes wrong."""

    faults: Sequence[Fault] = ()

    def __post_init__(self) -> None:
        try:
            faults = tuple(self.faults)
        except TypeError:
            raise BadInput(f"A fault plan is made of {self.faults!r}; give it a list of Fault objects.") from None
        for fault in faults:
            if not isinstance(fault, Fault):
                raise BadInput(
                    f"A fault plan holds {fault!r}; it must hold Fault objects, or come from FaultPlan.crash(…)."
                )
        object.__setattr__(self, "faults", faults)

    @classmethod
    def crash(
        cls,
        at: Point,
        item: int | None = None,
        kill: Kill = "worker",
        lives: Sequence[int] | None = None,
        node: int | None = None,
    ) -> Self:
        """Return the plan of one crash at the crash point `at` (A–E), while `item` is handled; see `Fault`."""
        return cls((Fault(one_of("the crash point", at, POINTS), item, kill=kill, lives=lives, node=node),))

    @property
    def token(self) -> str:
        """The plan as a short text with a check, such as "eo2-B3w-F78R": `parse` turns it back."""
        body = ".".join(fault.code() for fault in self.faults) or "0"
        return sealed(f"{FORMAT}-{body}")

    @classmethod
    def parse(cls, token: str) -> Self:
        """Return the plan that wrote `token`. Raises `BadInput` for a mistyped token or one of another format."""
        token = str(token)
        if len(token) > LONGEST:
            raise BadInput(f"The token has {len(token):,} characters; none has more than {LONGEST:,}. Copy it again.")
        parts = token.strip().split("-")
        if len(parts) != 3 or parts[0] not in READ:
            raise BadInput(f"{token!r} is no token of a fault plan; one looks like {cls.crash('B', 3).token!r}.")
        if unsealed(token.strip()) is None:
            raise BadInput(
                f"The token {token!r} was changed or cut: its last part does not fit the rest. Copy it again."
            )
        return cls(() if parts[1] == "0" else tuple(map(Fault.parse, parts[1].split("."))))

    def striking(
        self, at: str, kind: FaultKind, items: Collection[int], life: int, node: int = 1
    ) -> Iterator[tuple[str, Fault]]:
        """Yield (key, fault) for each fault that applies here; a recorder notes the key when the fault strikes."""
        for number, fault in enumerate(self.faults):
            if fault.strikes(at, kind, items, life, node):
                yield (f"{number}.{life}" if fault.lives else str(number)), fault

    def unreached(self, fired: Collection[str]) -> list[tuple[Fault, tuple[int, ...]]]:
        """Return (fault, lives) for each fault that never struck, given the keys that a recorder noted.

        `lives` are the named incarnations that the fault did not strike; it is empty for a fault that names none.
        """
        missed = []
        for number, fault in enumerate(self.faults):
            lives = tuple(life for life in fault.lives or () if f"{number}.{life}" not in fired)
            if lives or (fault.lives is None and str(number) not in fired):
                missed.append((fault, lives))
        return missed


def _lives(lives: Iterable[int]) -> tuple[int, ...]:
    """Return the named incarnations in order, each once."""
    try:
        named = tuple(sorted({whole("an incarnation", life, least=1, most=MOST) for life in lives}))
    except TypeError:
        raise BadInput(
            f"The incarnations of a fault are {lives!r}; give a list of whole numbers, such as (1, 2)."
        ) from None
    if not named:
        raise BadInput(
            "A fault for no incarnation at all never strikes; leave `lives` out for the first that gets there."
        )
    return named


def sealed(head: str) -> str:
    """Return a token: `head`, a text that begins with the name of its format, and a check behind a dash."""
    return f"{head}-{_check(head)}"


def unsealed(token: str) -> str | None:
    """Return the head of a token, or None for a text that is too long, or whose check does not fit."""
    head, _, check = token.rpartition("-")
    return head if len(token) <= LONGEST and check.upper() == _check(head) else None


def quoted(token: object) -> str:
    """Return a token as an error quotes it."""
    text = str(token)
    return repr(text if len(text) <= 60 else text[:57] + "…")


def _check(head: str) -> str:
    """Return four characters that change with every single mistyped character of the head, and with every two
    swapped.

    The head's characters are the digits of a number, taken modulo a prime: one digit more or less by anything below
    the prime never leaves the remainder as it was.
    """
    number = 0
    for character in head:
        number = (number * 1_009 + ord(character)) % _PRIME
    digits = []
    for _ in range(4):
        number, digit = divmod(number, 32)
        digits.append(_ALPHABET[digit])
    return "".join(digits)
