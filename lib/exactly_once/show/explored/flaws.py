"""The tested sentences of the articles as one page: the sentence, the simplest schedule against it, the repair."""

from __future__ import annotations

import itertools
from html import escape

from ...articles import Flaw, Flaws
from ...articles.cases import OWN, STATED, STEP, UNSTATED, WRONG
from ...explore.proof import Proof
from ..base.checks import given
from ..base.picture import Picture, cells_table, coded, plain_table, scrolling

HEAD = ("about", "what the article has", "what comes of it", "the repair")
HEADINGS = {  # of the groups of rows
    WRONG: "Wrong",
    UNSTATED: "True under a condition that the article does not state",
    STATED: "True under a condition that the article states",
    STEP: "The article's own stepping stone: it repairs this itself",
    OWN: "The course's own",
}


def flaws(found: Flaws) -> Picture:
    """Return the page of `flaws()`: a row for each sentence, with the schedule that breaks it, its token, the repair.

    The rows stand under headings that name the kind of failure. Raises `BadInput` for anything else.
    """
    rows: list[list[str]] = []
    for heading, some in itertools.groupby(given(found, Flaws), key=lambda flaw: flaw.case.heading):
        rows += [[escape(HEADINGS[heading])], *map(_row, some)]
    page = cells_table(HEAD, rows, "eo-table eo-wraps eo-flaws")
    took = f'<p class="eo-dim">{len(found)} sentences, each explored twice, in {found.seconds:.1f} s.</p>'
    drawn = scrolling(page, "Sentences of the articles, tried")
    return Picture(f"{drawn}{took}", plain_table(HEAD, rows), unfold="")


Flaws._repr_html_ = lambda found: flaws(found)._repr_html_()  # type: ignore[attr-defined]


def _row(flaw: Flaw) -> list[str]:
    case, example = flaw.case, flaw.counterexample
    article = f"article {case.article}" if case.article else "the course"
    where = f"{article}, chapter {case.chapter:02}"
    schedule = ""
    if example is not None:
        lines = "".join(f"<li>{escape(line)}</li>" for line in example.explanation)
        schedule = (
            f'<details class="eo-more"><summary>The simplest schedule</summary><ol class="eo-story">{lines}</ol>'
            f'<p><span class="eo-tag eo-token">{escape(example.token)}</span></p></details>'
        )
    has = f"<p>{coded(case.says)}</p>"
    if case.quote:
        has += (
            f'<p class="eo-quote">«{escape(case.quote)}»</p>'
            f'<p class="eo-dim">{escape(case.origin)}, {escape(case.place)}</p>'
        )
    return [
        f'<strong>{escape(case.subject)}</strong><p class="eo-dim">{where}</p>',
        has,
        f"{_said(flaw.broken)}<p>{coded(case.because)}</p>{schedule}",
        f'<p>{coded(case.repair)}</p>{_said(flaw.repaired)}<p class="eo-dim">{escape(_covers(flaw.repaired))}</p>',
    ]


def _said(proof: Proof) -> str:
    """Return the verdict of a proof, with its sign."""
    sign, words, mood = _verdict(proof)
    return f'<p class="eo-{mood}"><i aria-hidden="true">{sign}</i> {escape(words)}</p>'


def _verdict(proof: Proof) -> tuple[str, str, str]:
    if proof.counterexample is not None:
        return "✗", proof.counterexample.sentence, "bad"
    return ("✓", "Proved within bounds.", "good") if proof.ok else ("–", " ".join(proof.sentences), "none")


def _covers(proof: Proof) -> str:
    return f"{proof.covers}; {proof.states:,} states, {proof.seconds:.2f} s"
