"""The tested sentences of the articles as one page: the sentence, the simplest schedule against it, the repair."""

from __future__ import annotations

import itertools
import re
from html import escape

import pandas as pd

from ...claims.found import Flaw, Flaws
from ...explore.proof import Proof
from ..base.checks import given
from ..base.picture import Picture, scrolling

HEAD = {"about": 15, "what the article has": 26, "what comes of it": 33, "the repair": 26}  # widths in percent


def flaws(found: Flaws) -> Picture:
    """Return the page of `flaws()`: a row for each sentence, with the schedule that breaks it, its token, the repair.

    The rows stand under headings that name the kind of failure. Raises `BadInput` for anything else.
    """
    groups = itertools.groupby(given(found, Flaws).values(), key=lambda flaw: flaw.case.heading)
    body = "".join(
        f'<tr><th scope="rowgroup" colspan="{len(HEAD)}" class="eo-heading">{escape(heading)}</th></tr>'
        + "".join(map(_row, rows))
        for heading, rows in groups
    )
    head = "".join(f'<th scope="col" style="width:{width}%">{name}</th>' for name, width in HEAD.items())
    page = f'<table class="eo-flaws"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    took = f'<p class="eo-dim">{len(found)} sentences, each explored twice, in {found.seconds:.1f} s.</p>'
    return Picture(scrolling(page, "Sentences of the articles, tried") + took, _table(found))


def _row(flaw: Flaw) -> str:
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
    has = f"<p>{_coded(case.says)}</p>"
    if case.quote:
        has += (
            f'<p class="eo-quote">«{escape(case.quote)}»</p>'
            f'<p class="eo-dim eo-where">{escape(case.origin)}, {escape(case.place)}</p>'
        )
    broken = f"{_said(flaw.broken)}<p>{_coded(case.because)}</p>{schedule}"
    repaired = (
        f'<p>{_coded(case.repair)}</p>{_said(flaw.repaired)}<p class="eo-dim">{escape(_covers(flaw.repaired))}</p>'
    )
    return (
        f'<tr><th scope="row">{escape(case.subject)}<p class="eo-dim eo-where">{where}</p></th>'
        f"<td>{has}</td><td>{broken}</td><td>{repaired}</td></tr>"
    )


def _coded(text: str) -> str:
    """Return a sentence as HTML, with the words between backticks as code."""
    return re.sub("`([^`]*)`", r"<code>\1</code>", escape(text))


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


def _table(found: Flaws) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "subject": flaw.case.subject,
                "article": flaw.case.article,
                "chapter": flaw.case.chapter,
                "heading": flaw.case.heading,
                "says": flaw.case.says,
                "quote": flaw.case.quote,
                "from": ", ".join(filter(None, (flaw.case.origin, flaw.case.place))),
                "what comes of it": _verdict(flaw.broken)[1],
                "why": flaw.case.because,
                "token": flaw.counterexample.token if flaw.counterexample else "",
                "repair": flaw.case.repair,
                "repaired": f"{_verdict(flaw.repaired)[1]} {_covers(flaw.repaired)}",
            }
            for flaw in found.values()
        ]
    )
