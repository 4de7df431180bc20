"""Exercises whose answer is values that a learner predicts or chooses: each has a form, and one rule judges all."""

import itertools
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ... import show as drawing
from ...errors import BadInput, whole
from ...faults import Fault, FaultPlan
from .kind import Kind, nothing_yet
from .reply import Reply, has_dots, unsolved

MOST = 1_000  # entries that are read of a list: some never end


@dataclass(frozen=True)
class Whole:
    """A whole number, from `least` to `most`."""

    least: int = 0
    most: int | None = None

    def read(self, name: str, value: Any) -> int:
        """Return the number. Raises `BadInput` for another value."""
        return whole(name, plain(value), self.least, self.most)


@dataclass(frozen=True)
class Wholes:
    """A list of whole numbers from `least` to `most`, read as a set; a number alone is a list of one.

    `each` names one of them in a refusal, such as "an hour that is doubled"; `like` shows a list.
    """

    each: str
    least: int = 0
    most: int | None = None
    like: str = "[1, 2], or [] for none"

    def read(self, name: str, value: Any) -> set[int]:
        """Return the numbers. Raises `BadInput` for another value."""
        try:
            found = [value] if isinstance(value, int) else list(itertools.islice(value, MOST))
        except TypeError:
            raise BadInput(f"{name} is {value!r}; give a list, such as {self.like}.") from None
        return {whole(self.each, plain(one), self.least, self.most) for one in found}


@dataclass(frozen=True)
class OneOf:
    """One of a few words or values."""

    choices: Sequence

    def read(self, name: str, value: Any) -> Any:
        """Return the choice. Raises `BadInput` for another value."""
        try:
            if value in self.choices:
                return value
        except Exception:  # noqa: BLE001 - an object that cannot be compared is no choice
            pass
        raise BadInput(f"{name} is {repr(value)[:60]}; give one of {', '.join(map(repr, self.choices))}.")


@dataclass(frozen=True)
class Function:
    """A function; `of` names its arguments in a refusal, such as "an order, giving a letter"."""

    of: str

    def read(self, name: str, value: Any) -> Callable:
        """Return the function. Raises `BadInput` for another object."""
        if not callable(value):
            raise BadInput(f"{name} is {repr(value)[:60]}; it is a function of {self.of}.")
        return value


@dataclass(frozen=True)
class OneFault:
    """A plan with one fault: a plan, a fault, a list of one, or a token."""

    def read(self, name: str, value: Any) -> FaultPlan:
        """Return the `FaultPlan`. Raises `BadInput` for anything else."""
        if isinstance(value, str):
            value = FaultPlan.parse(value)
        elif isinstance(value, (Fault, list, tuple)):
            value = FaultPlan([value] if isinstance(value, Fault) else value)
        if not isinstance(value, FaultPlan) or len(value.faults) != 1:
            raise BadInput(f"The plan is {value!r}; give a plan of one fault, such as FaultPlan([Fault(…)]).")
        return value


@dataclass(frozen=True)
class Entries:
    """A dictionary with an entry for each of `fields`, each of a form of its own."""

    fields: Mapping[Any, Any]

    def read(self, name: str, value: Any) -> dict | None:
        """Return the entries by name; None while dots are left. Raises `BadInput` for a value of another form."""
        if has_dots(value):
            return None
        if not isinstance(value, dict) or set(value) != set(self.fields):
            *first, last = map(str, self.fields)
            named = f"{', '.join(first)} and {last}" if first else last
            raise BadInput(f"{name} is {value!r}; it is a dictionary with {named}.")
        found = {key: form.read(str(key), value[key]) for key, form in self.fields.items()}
        return None if None in found.values() else found


def plain(number: Any) -> Any:
    """Return a whole number of NumPy's as one of Python's; anything else as it is."""
    return operator.index(number) if hasattr(number, "__index__") and not isinstance(number, bool) else number


@dataclass(frozen=True, kw_only=True)
class Values(Kind):
    """One exercise whose answer is a dictionary with an entry for each of `fields`, or a value of the form `fields`.

    `rule(said)` returns the `Reply` to the values as they were read; `drawn(said)` draws them, without saying whether
    they are right; without an answer `blank()` is drawn. `what` names the answer in sentences, such as "prediction".
    """

    fields: Any
    rule: Callable[[Any], Reply]
    drawn: Callable[[Any], drawing.Picture]
    blank: Callable[[], drawing.Picture] | None = None
    what: str = "prediction"
    asks: str = "your prediction"

    def read(self, answer: Any) -> Any:
        """Return the values by name; None while dots are left. Raises `BadInput` for an answer of another form."""
        form = Entries(self.fields) if isinstance(self.fields, Mapping) else self.fields
        return None if answer is ... else form.read(f"The {self.what}", answer)

    def check(self, answer: Any) -> Reply:
        """Judge the values by the rule."""
        said = self.read(answer)
        return unsolved(self.asks) if said is None else self.rule(said)

    def show(self, answer: Any) -> drawing.Picture:
        """Draw the values."""
        said = self.read(answer)
        if said is not None:
            return self.drawn(said)
        return self.blank() if self.blank else nothing_yet(f"no {self.what}")
