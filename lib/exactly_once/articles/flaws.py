"""`flaws`: each sentence of `CASES`, explored: broken as it stands, and proved as repaired."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..errors import BadInput
from ..explore.proof import Counterexample, Proof
from .cases import CASES, Case


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

    @property
    def found(self) -> bool:
        """True when the sentence is broken, and its repair proved."""
        return self.counterexample is not None and self.repaired.ok


class Flaws(Sequence[Flaw]):
    """All that were looked into, in order; also by subject: `found["the early return"]`."""

    def __init__(self, found: Sequence[Flaw]) -> None:
        self._found = tuple(found)

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[Flaw]:
        return iter(self._found)

    def __getitem__(self, key):  # type: ignore[no-untyped-def]  # a number, a slice, or a subject
        if isinstance(key, str):
            return next(one for one in self._found if one.case.subject == _known(key))
        return self._found[key]

    @property
    def seconds(self) -> float:
        """How long it took, in seconds."""
        return sum(one.broken.seconds + one.repaired.seconds for one in self._found)


def flaws(subjects: Sequence[str] | None = None) -> Flaws:
    """Explore each sentence of the articles that fails or needs a condition, and its repair. Returns `Flaws`.

    `subjects` are those to look into (None: all; `CASES` has their names). Raises `BadInput` for an unknown subject.
    """
    if isinstance(subjects, str) or not (subjects is None or isinstance(subjects, Sequence)):
        raise BadInput(f"The subjects are {subjects!r}; give a list of them, such as ['the early return'].")
    wanted = None if subjects is None else [_known(one) for one in subjects]
    chosen = [case for case in CASES if wanted is None or case.subject in wanted]
    return Flaws([Flaw(case, case.breaks.prove(), case.holds.prove()) for case in chosen])


def _known(subject: str) -> str:
    names = [case.subject for case in CASES]
    if subject not in names:
        raise BadInput(f"The subject is {subject!r}; it is one of: {', '.join(names)}.")
    return subject
