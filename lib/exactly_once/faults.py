"""Fault plans: which misfortune strikes where, as plain data with a short token that can be pasted and replayed."""

import re
from dataclasses import dataclass

from .errors import BadInput, one_of, whole

POINTS = ("A", "B", "C", "D", "E")
STEPS = {
    "positions.load": "pl",
    "positions.save": "ps",
    "state.load": "sl",
    "state.save": "ss",
    "input.read": "ir",
    "output.push": "op",
    "database.increment": "di",
    "choose": "ch",
    "register.read": "rr",
    "register.cas": "rc",
    "message.send": "ms",
    "message.receive": "mr",
    "lock.acquire": "la",
    "lock.release": "lr",
}
KINDS = {
    "crash": "",
    "crash before": "b",
    "crash after": "a",
    "lost request": "q",
    "lost reply": "r",
    "duplicated request": "d",
}
KILLS = {"worker": "w", "executor": "x"}
FORMAT = "eo1"
MOST = 999_999
_NUMBER = "[1-9][0-9]{0,5}"
_FAULT = re.compile(
    rf"(?P<at>[A-E]|[a-z]{{2}}(?P<kind>[baqrd]))(?P<item>{_NUMBER}|\*)(?P<kill>[wx])(?:l(?P<lives>{_NUMBER}(?:_{_NUMBER})*))?"
)
_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
_PRIME = 1_048_573  # the largest below 32**4, what four characters can say


@dataclass(frozen=True)
class Fault:
    """One misfortune.

    `at` is a crash point A–E or a step such as "output.push". `item` is the hour at which it strikes (None: whichever
    comes first). `kind` is "crash" for crash points; for steps "crash before", "crash after" (done, but the reply
    never seen), "lost request", "lost reply" or "duplicated request". `kill` says what a crash takes with it: the
    Python worker, or the whole executor. It strikes the first life that gets there, once, unless `lives` names lives:
    then it strikes each of them. Raises `BadInput` for anything else.
    """

    at: str
    item: int | None = None
    kind: str = "crash"
    kill: str = "worker"
    lives: tuple[int, ...] | None = None

    def __post_init__(self):
        one_of("the place of a fault", self.at, [*POINTS, *STEPS])
        one_of("the kind of a fault", self.kind, KINDS)
        one_of("what a crash kills", self.kill, KILLS)
        if self.item is not None:
            whole("the item of a fault", self.item, least=1, most=MOST)
        if (self.at in POINTS) != (self.kind == "crash"):
            hint = "a crash point takes the kind 'crash'" if self.at in POINTS else f"a step takes {list(KINDS)[1:]}"
            raise BadInput(f"A fault of kind {self.kind!r} cannot strike at {self.at!r}: {hint}.")
        if self.at == "choose" and not self.deadly:
            raise BadInput(
                f"A fault of kind {self.kind!r} cannot strike at 'choose', which asks no store: it takes crashes."
            )
        if self.lives is not None:
            object.__setattr__(self, "lives", _lives(self.lives))

    @property
    def deadly(self):
        """True for the kinds that end a life."""
        return self.kind.startswith("crash")

    def strikes(self, at, kind, item, life):
        """Tell whether this fault applies to the given place, kind, item and life."""
        return (
            self.at == at
            and self.kind == kind
            and (self.item is None or self.item == item)
            and (self.lives is None or life in self.lives)
        )

    @property
    def place(self):
        """The place in words: "B", "after output.push" or "lost reply of output.push"."""
        if self.kind == "crash":
            return self.at
        return f"{self.kind.removeprefix('crash ')} {self.at}" if self.deadly else f"{self.kind} of {self.at}"

    def code(self):
        """Return the fault's part of a token."""
        at = self.at if self.at in POINTS else STEPS[self.at] + KINDS[self.kind]
        lives = "l" + "_".join(map(str, self.lives)) if self.lives else ""
        return f"{at}{'*' if self.item is None else self.item}{KILLS[self.kill]}{lives}"

    @classmethod
    def parse(cls, code):
        """Return the fault that `code` wrote. Raises `BadInput` for anything else."""
        found = _FAULT.fullmatch(str(code))
        steps = {short: step for step, short in STEPS.items()}
        if not found or (found["kind"] and found["at"][:2] not in steps):
            raise BadInput(f"{code!r} is no fault of a token; a crash at B at item 3 of a worker reads 'B3w'.")
        kind = {short: name for name, short in KINDS.items()}[found["kind"] or ""]
        return cls(
            at=steps[found["at"][:2]] if found["kind"] else found["at"],
            item=None if found["item"] == "*" else int(found["item"]),
            kind=kind,
            kill={short: name for name, short in KILLS.items()}[found["kill"]],
            lives=tuple(map(int, found["lives"].split("_"))) if found["lives"] else None,
        )


@dataclass(frozen=True)
class FaultPlan:
    """All the faults of one run, as plain data. An empty plan is a run in which nothing goes wrong."""

    faults: tuple[Fault, ...] = ()

    def __post_init__(self):
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
    def crash(cls, at, item=None, kill="worker", lives=None):
        """Return the plan of one crash at the crash point `at` (A–E), while `item` is handled."""
        return cls((Fault(one_of("the crash point", at, POINTS), item, kill=kill, lives=lives),))

    @property
    def token(self):
        """The plan as a short text with a check, such as "eo1-B3w-VT23": `parse` turns it back."""
        body = ".".join(fault.code() for fault in self.faults) or "0"
        return f"{FORMAT}-{body}-{_check(body)}"

    @classmethod
    def parse(cls, token):
        """Return the plan that wrote `token`. Raises `BadInput` for a mistyped token or one of another format."""
        parts = str(token).strip().split("-")
        if len(parts) != 3 or parts[0] != FORMAT:
            raise BadInput(f"{token!r} is no token of a fault plan; one looks like {cls.crash('B', 3).token!r}.")
        if parts[2].upper() != _check(parts[1]):
            raise BadInput(
                f"The token {token!r} was changed or cut: its last part does not fit the rest. Copy it again."
            )
        return cls(() if parts[1] == "0" else tuple(map(Fault.parse, parts[1].split("."))))

    def striking(self, at, kind, item, life):
        """Yield (key, fault) for each fault that applies here; the key is what a recorder notes when it strikes."""
        for number, fault in enumerate(self.faults):
            if fault.strikes(at, kind, item, life):
                yield (f"{number}.{life}" if fault.lives else str(number)), fault

    def unreached(self, fired):
        """Return (fault, lives) for what never struck, given the keys that a recorder noted.

        `lives` are the named lives that the fault did not strike; it is empty for a fault that names none.
        """
        missed = []
        for number, fault in enumerate(self.faults):
            lives = tuple(life for life in fault.lives or () if f"{number}.{life}" not in fired)
            if lives or (fault.lives is None and str(number) not in fired):
                missed.append((fault, lives))
        return missed


def _lives(lives):
    """Return the named lives in order, each once."""
    try:
        named = tuple(sorted({whole("a life", life, least=1, most=MOST) for life in lives}))
    except TypeError:
        raise BadInput(f"The lives of a fault are {lives!r}; give a list of whole numbers, such as (1, 2).") from None
    if not named:
        raise BadInput("A fault for no life at all never strikes; leave `lives` out for the first that gets there.")
    return named


def _check(body):
    """Return four characters that change with every single mistyped character of the body, and with every two swapped.

    The body's characters are the digits of a number, taken modulo a prime: one digit more or less by anything below
    the prime never leaves the remainder as it was.
    """
    number = 0
    for character in f"{FORMAT}-{body}":
        number = (number * 1_009 + ord(character)) % _PRIME
    digits = []
    for _ in range(4):
        number, digit = divmod(number, 32)
        digits.append(_ALPHABET[digit])
    return "".join(digits)
