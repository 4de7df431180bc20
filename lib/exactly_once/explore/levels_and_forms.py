"""Which isolation level suffices for which consumer: a table of proofs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import BadInput
from ..handlers.logs.database_consumer import FORMS, applied_once, twins
from ..stores.isolation import LEVELS
from .proof import Proof
from .prove import prove


@dataclass(frozen=True)
class LevelsAndForms:
    """The proof of each form at each level, {(level, form): Proof}."""

    proofs: Mapping[tuple[str, str], Proof]

    @property
    def levels(self) -> list[str]:
        """The levels, in order."""
        return list(dict.fromkeys(level for level, _ in self.proofs))

    @property
    def forms(self) -> list[str]:
        """The names of the forms, in order."""
        return list(dict.fromkeys(form for _, form in self.proofs))

    def right(self, form: str) -> list[str]:
        """Return the levels at which a form is proved."""
        return [level for level in self.levels if self.proofs[level, form].ok]


def levels_and_forms(
    forms: Mapping[str, Any] | None = None,
    levels: Iterable[str] = tuple(LEVELS),
    messages: int = 1,
    crashes: int = 0,
    again: bool = True,
) -> LevelsAndForms:
    """Prove each form at each isolation level, with two nodes that apply the same messages at once.

    `forms` are functions of a session and a message's number, by name (default: those of the chapter); `messages`,
    `crashes` and `again` are as in `twins` and `prove`. The whole table takes some seconds. Raises `BadInput` for
    another level, and for forms that are no mapping.
    """
    if forms is not None and not isinstance(forms, Mapping):
        raise BadInput(f"The forms are {forms!r}; map each name to a function of a session and a message's number.")
    proofs: dict[tuple[str, str], Proof] = {}
    for level in levels:
        for name, form in (FORMS if forms is None else forms).items():
            programs = twins(form, level, messages, again=again)
            proofs[level, name] = prove(programs, crashes=crashes, invariant=applied_once)
    return LevelsAndForms(proofs)
