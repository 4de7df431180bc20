"""What the checks find: of each claim and handler, and of each sentence of the articles and its repair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import one_of

if TYPE_CHECKING:
    from ..explore.proof import Counterexample, Proof
    from .sentences import Case

USUAL, SECOND = "the handler", "the second handler"
WORDS = {
    USUAL: "`general` with the function `totals`: it adds up the readings of one stream and sends each total; one "
    "output, no database",
    SECOND: "the same with two outputs: the hour goes to the second one, and a node of the database counts what "
    "comes there",
}


@dataclass
class Finding:
    """The result of one check of one handler: whether the claim holds, a sentence, the bounds, the number of states.

    `schedule` is the simplest one that breaks the claim, if there is one. A check that looks at states of its own
    gives their number; all else is filled in for it.
    """

    holds: bool
    says: str
    schedule: Counterexample | None = None
    states: int = 0
    bounds: str = ""


class Claims(dict[str, Mapping[str, Finding]]):
    """The findings of each claim, {claim: {handler that was asked: `Finding`}}, and the `seconds` that they took.

    The mutants have their names.
    """

    def __init__(self, found: Mapping[str, Mapping[str, Finding]], seconds: float) -> None:
        super().__init__({name: {asked: found[asked][name] for asked in found} for name in found[USUAL]})
        self.seconds = seconds

    def __missing__(self, name: str) -> Mapping[str, Finding]:
        return self[one_of("The claim", name, self)]

    @property
    def ok(self) -> bool:
        """True when every claim holds."""
        return all(row[asked].holds for row in self.values() for asked in WORDS)

    def found_by(self, mutant: str) -> list[str]:
        """Return the claims that a mutant breaks."""
        return [name for name, row in self.items() if not row[mutant].holds]


@dataclass(frozen=True)
class Flaw:
    """The results for one `Case`: the proof that it is `broken`, and the proof of its repair."""

    case: Case
    broken: Proof
    repaired: Proof

    @property
    def counterexample(self) -> Counterexample | None:
        """The simplest schedule that shows it."""
        return self.broken.counterexample


class Flaws(dict[str, Flaw]):
    """All sentences that were looked into, by subject, in order: `found["the early return"]`."""

    def __missing__(self, subject: str) -> Flaw:
        return self[one_of("The subject", subject, self)]
