"""The table of claims."""

from html import escape

from ...claims.mutants import MUTANTS
from ...claims.table import Claims, Finding, Row
from ..base.checks import given
from ..base.picture import Picture, cells_table, plain_table, scrolling, word_html

HEAD = (
    "The claim, and what it means",
    "How it is checked, within which bounds",
    "Verdict",
    "A mutant, and what is seen",
)
REAL_TIME = [  # the one promise of the article that no exploration can check
    "<strong>real-time</strong><br>No record waits longer because a node stops.",
    "A schedule has no clock, so no exploration asks it. <code>waits</code> measures it on the cluster: the longest "
    "wait after a signal, beside the longest before it.",
    "– measured, not explored",
    '<span class="eo-dim">Not asked.</span>',
]


def claims_table(found: Claims) -> Picture:
    """Return the table of claims: each with its definition, its check and bounds, the verdict, and its mutants.

    Its caption names the asked handler and the second handler.
    """
    rows = [*map(_row_html, given(found, Claims).values()), REAL_TIME]
    table = cells_table(HEAD, rows, "eo-table eo-wraps", escape(caption(found)))
    stopped = f'<p class="eo-bad">Not complete: {escape(found.stopped)}</p>' if found.stopped else ""
    took = f'<p class="eo-dim">{found.seconds:.0f} s in all.</p>'
    return Picture(f"{scrolling(table, 'The claims')}{stopped}{took}", plain_table(HEAD, rows), unfold="")


def caption(found: Claims) -> str:
    """Return the names of the asked handlers in words."""
    asked = f"The handler that is asked is {found.handler}."
    return f"{asked} The second one is {found.second}." if found.second else asked


def _row_html(row: Row) -> list[str]:
    claim = row.claim
    asked = [("", row.finding)]
    if row.second is not None:
        asked.append(("The second handler: ", row.second))
    how = escape(claim.how) + "".join(
        f'<br><span class="eo-dim">{escape(which)}{escape(one.bounds)}: {one.states:,} states.</span>'
        for which, one in asked
    )
    verdicts = "<br>".join(f"{escape(which)}{_verdict(one)}" for which, one in asked)
    seen = [
        f"<strong>{escape(mutant)}</strong><br>{escape(MUTANTS[mutant].does)}<br>{_verdict(row.mutants[mutant])}"
        for mutant in claim.mutants
        if mutant in row.mutants
    ] or REAL_TIME[-1:]
    seen += [f'<span class="eo-dim">{escape(said)}</span>' for said in _said_of(row)]
    return [f"<strong>{escape(claim.name)}</strong><br>{escape(claim.means)}", how, verdicts, "<br>".join(seen)]


def _said_of(row: Row) -> list[str]:
    """Return the other facts on a claim: the claims from which it follows, and a remark."""
    claim = row.claim
    follows = [f"Follows from {' and '.join(claim.follows)}. {claim.because}"] if claim.follows else []
    return follows + [claim.remark] * bool(claim.remark)


def _verdict(finding: Finding) -> str:
    word = ("✓", "holds", "harmless") if finding.holds else ("✗", "broken", "doubles")
    return f"{word_html(*word)} {escape(finding.says)}"


Claims._repr_html_ = lambda found: claims_table(found)._repr_html_()  # type: ignore[attr-defined]
