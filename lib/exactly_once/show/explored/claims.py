"""Pages of claims and of sentences of the articles: a row for each, with the bounds and the result."""

import itertools
from html import escape

from ...claims.found import SECOND, USUAL, WORDS, Claims, Finding, Flaw, Flaws
from ...claims.properties import CLAIMS
from ...explore.proof import Counterexample, Proof
from ..base.checks import given
from ..base.picture import Picture, cells_table, marked, plain_table, scrolling, word_html
from .proof_picture import story_html, token_html

CLAIM_HEAD = {  # titles of columns, and their widths in percent
    "The claim, and what it means": 27, "How it is checked, within which bounds": 27, "Verdict": 18,
    "A mutant, and what is seen": 28,
}  # fmt: skip
FLAW_HEAD = {"about": 15, "what the article has": 26, "what comes of it": 33, "the repair": 26}
REAL_TIME = [  # the one promise of the article that no exploration can check
    "<strong>real-time</strong><br>No record waits longer because a node stops.",
    "A schedule has no clock, so no exploration asks it. <code>waits</code> measures it on the cluster: the longest "
    "wait after a signal, beside the longest before it.",
    '<i aria-hidden="true">–</i> measured, not explored',
    '<span class="eo-dim">Not asked.</span>',
]
CAPTION = f"The handler that is asked is {WORDS[USUAL]}. The second one is {WORDS[SECOND]}."


def claims_table(found: Claims) -> Picture:
    """Return the table of claims: each with its definition, its check and bounds, the verdict, and its mutants.

    Its caption names the asked handler and the second handler.
    """
    rows = [_claim(name, found) for name in given(found, Claims)]
    return _page(CLAIM_HEAD, [*rows, REAL_TIME], "The claims", f"{found.seconds:.0f} s in all.", CAPTION)


def flaws(found: Flaws) -> Picture:
    """Return the page of `flaws()`: a row for each sentence, with the schedule that breaks it, its token, the repair.

    The rows stand under headings that name the kind of failure. Raises `BadInput` for anything else.
    """
    rows = []
    for heading, some in itertools.groupby(given(found, Flaws).values(), key=lambda flaw: flaw.case.heading):
        rows += [[escape(heading)], *map(_flaw, some)]
    seconds = sum(one.broken.seconds + one.repaired.seconds for one in found.values())
    took = f"{len(found)} sentences, each explored twice, in {seconds:.1f} s."
    return _page(FLAW_HEAD, rows, "Sentences of the articles, tried", took)


def _page(head: dict[str, int], rows: list[list[str]], label: str, took: str, caption: str = "") -> Picture:
    """Return rows of HTML as a table in columns of fixed widths, which is its own table in words."""
    titles = list(head)
    drawn = scrolling(cells_table(titles, rows, "eo-table eo-wraps", list(head.values()), caption), label)
    return Picture(f'{drawn}<p class="eo-dim">{took}</p>', plain_table(titles, rows), unfold="")


def _claim(name: str, found: Claims) -> list[str]:
    """Return the cells of a claim."""
    claim, row = CLAIMS[name], found[name]
    asked = [("" if which == USUAL else "The second handler: ", row[which]) for which in WORDS]
    bounds = [f'<span class="eo-dim">{of}{escape(one.bounds)}: {one.states:,} states.</span>' for of, one in asked]
    mutant, broken = claim.mutant, row[claim.mutant.name]
    seen = f"<strong>{escape(mutant.name)}</strong><br>{escape(mutant.does)}<br>{_finding(broken)}"
    remarks = f'<br><span class="eo-dim">{escape(claim.remarks)}</span>' if claim.remarks else ""
    return [
        f"<strong>{escape(claim.name)}</strong><br>{escape(claim.means)}",
        "<br>".join([escape(claim.how), *bounds]),
        "<br>".join(f"{of}{_finding(one)}" for of, one in asked),
        f"{seen}{_schedule(broken.schedule)}{remarks}",
    ]


def _finding(finding: Finding) -> str:
    sign, word, css = ("✓", "holds", "harmless") if finding.holds else ("✗", "broken", "doubles")
    return f"{word_html(sign, word, css)} {escape(finding.says)}"


def _flaw(flaw: Flaw) -> list[str]:
    """Return the cells of a sentence of an article."""
    case = flaw.case
    article = f"article {case.article}" if case.article else "the course"
    quote = (
        f'<p class="eo-quote">«{escape(case.quote)}»</p><p class="eo-dim">{escape(case.origin)}, '
        f"{escape(case.place)}</p>"
    )
    covers = f"{flaw.repaired.covers}; {flaw.repaired.states:,} states, {flaw.repaired.seconds:.2f} s"
    return [
        f'{escape(case.subject)}<p class="eo-dim">{article}, chapter {case.chapter:02}</p>',
        f"<p>{marked(case.says)}</p>{quote if case.quote else ''}",
        f"{_said(flaw.broken)}<p>{marked(case.because)}</p>{_schedule(flaw.counterexample)}",
        f'<p>{marked(case.repair)}</p>{_said(flaw.repaired)}<p class="eo-dim">{escape(covers)}</p>',
    ]


def _schedule(example: Counterexample | None) -> str:
    """Return a schedule and its token, folded."""
    if example is None:
        return ""
    told = f"{story_html(example)}{token_html(example)}"
    return f'<details class="eo-more"><summary>The simplest schedule</summary>{told}</details>'


def _said(proof: Proof) -> str:
    """Return the verdict of a proof, with its sign."""
    sign, words, mood = ("–", " ".join(proof.sentences), "none")
    if proof.counterexample is not None:
        sign, words, mood = "✗", proof.counterexample.sentence, "bad"
    elif proof.ok:
        sign, words, mood = "✓", "Proved within bounds.", "good"
    return f'<p class="eo-{mood}"><i aria-hidden="true">{sign}</i> {escape(words)}</p>'
