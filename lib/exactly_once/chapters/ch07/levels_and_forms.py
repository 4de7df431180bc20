"""Which isolation level suffices for which consumer: a table of proofs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from ...errors import BadInput
from ...explore import prove
from ...explore.proof import Proof
from ...handlers.logs.database_consumer import FORMS, applied_once, twins
from ...stores.isolation import LEVELS

if TYPE_CHECKING:
    from ...show.base.picture import Picture


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

    def picture(self) -> "Picture":
        """Return the table isolation level × form: right, or the result of the simplest schedule."""
        from ...show.base.picture import Picture, cells_table, plain_table, scrolling, word_html  # it needs pandas

        rows = [
            [f'{escape(level)} <span class="eo-dim">({LEVELS[level]})</span>']
            + [word_html(*_verdict(self.proofs[level, form])) for form in self.forms]
            for level in self.levels
        ]
        head = ["level", *map(escape, self.forms)]
        drawn = scrolling(cells_table(head, rows, "eo-grid"), "Isolation levels and forms")
        return Picture(drawn, plain_table(head, rows), unfold="")

    def _repr_html_(self) -> str:
        return self.picture()._repr_html_()


def _verdict(proof: Proof) -> tuple[str, str, str, str]:
    """Return (sign, word, kind, hint) of a proof: its sentences or its counterexample are the hint."""
    if (found := proof.counterexample) is not None:
        said = "fails" if found.kind == "raised" else "doubles"
        return "✗", said, said, " ".join((found.sentence, *found.explanation))
    sign, said, kind = ("✓", "right", "harmless") if proof.ok else ("?", "not proved", "none")
    return sign, said, kind, " ".join(proof.sentences)


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
    another level, for levels that are no list, and for forms that are no mapping.
    """
    if forms is not None and not isinstance(forms, Mapping):
        raise BadInput(f"The forms are {forms!r}; map each name to a function of a session and a message's number.")
    if isinstance(levels, str) or not isinstance(levels, Iterable):
        raise BadInput(f"The levels are {levels!r}; give a list of them, such as ['snapshot', 'serializable'].")
    proofs: dict[tuple[str, str], Proof] = {}
    for level in levels:
        for name, form in (FORMS if forms is None else forms).items():
            programs = twins(form, level, messages, again=again)
            proofs[level, name] = prove(programs, crashes=crashes, invariant=applied_once)
    return LevelsAndForms(proofs)
