"""The table of claims."""

from html import escape

import pandas as pd

from ...claims.mutants import MUTANTS
from ...claims.table import Claims, Finding, Row
from ..base.checks import given
from ..base.picture import Picture, scrolling

HEAD = (
    "The claim, and what it means",
    "How it is checked, within which bounds",
    "Verdict",
    "A mutant, and what is seen",
)
REAL_TIME = (  # the one promise of the article that no exploration can check
    "real-time",
    "No record waits longer because a node stops.",
    "A schedule has no clock, so no exploration asks it. `waits` measures it on the cluster: the longest wait after "
    "a signal, beside the longest before it.",
    "measured, not explored",
)
WIDTHS = ("27%", "27%", "18%", "28%")


def claims_table(found: Claims) -> Picture:
    """Return the table of claims: each with its definition, its check and bounds, the verdict, and its mutants.

    Its caption names the asked handler and the second handler.
    """
    given(found, Claims)
    head = "".join(
        f'<th scope="col" style="width:{width}">{escape(title)}</th>'
        for title, width in zip(HEAD, WIDTHS, strict=True)
    )
    body = "".join(f"<tr>{_row_html(row)}</tr>" for row in found.values()) + _real_time_html()
    stopped = f'<p class="eo-bad">Not complete: {escape(found.stopped)}</p>' if found.stopped else ""
    table = (
        '<table class="eo-table eo-wraps eo-claims" style="width:100%;table-layout:fixed">'
        f'<caption style="text-align:left">{escape(caption(found))}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )
    took = f'<p class="eo-dim">{found.seconds:.0f} s in all.</p>'
    return Picture(
        f"{scrolling(table, 'The claims')}{stopped}{took}",
        pd.DataFrame(
            [
                *(_row_words(name, row) for name, row in found.items()),
                dict(zip(("claim", "means", "checked how", "verdict"), REAL_TIME, strict=True)),
            ]
        ).fillna(""),
    )


def caption(found: Claims) -> str:
    """Return the names of the asked handlers in words."""
    asked = f"The handler that is asked is {found.handler}."
    return f"{asked} The second one is {found.second}." if found.second else asked


def _row_html(row: Row) -> str:
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
        for mutant in claim.mutants if mutant in row.mutants
    ] or ['<span class="eo-dim">Not asked.</span>']  # fmt: skip
    seen += [f'<span class="eo-dim">{escape(said)}</span>' for said in _said_of(row)]
    return (
        f'<th scope="row"><strong>{escape(claim.name)}</strong><br>{escape(claim.means)}</th>'
        f"<td>{how}</td><td>{verdicts}</td><td>{'<br>'.join(seen)}</td>"
    )


def _real_time_html() -> str:
    name, means, how, verdict = REAL_TIME
    how = escape(how).replace("`waits`", "<code>waits</code>")
    return (
        f'<tr><th scope="row"><strong>{name}</strong><br>{means}</th><td>{how}</td>'
        f'<td><i aria-hidden="true">–</i> {verdict}</td><td><span class="eo-dim">Not asked.</span></td></tr>'
    )


def _said_of(row: Row) -> list[str]:
    """Return the other facts on a claim: the claims from which it follows, and a remark."""
    claim = row.claim
    follows = [f"Follows from {' and '.join(claim.follows)}. {claim.because}"] if claim.follows else []
    return follows + [claim.remark] * bool(claim.remark)


def _verdict(finding: Finding) -> str:
    sign, word, css = ("✓", "holds", "harmless") if finding.holds else ("✗", "broken", "doubles")
    return f'<span class="eo-word eo-{css}"><i aria-hidden="true">{sign}</i> {word}</span> {escape(finding.says)}'


def _row_words(name: str, row: Row) -> dict[str, str]:
    of_mutant = row.of_mutant
    seen = [f"{mutant}: {row.mutants[mutant].says}" for mutant in row.claim.mutants if mutant in row.mutants]
    second = row.second
    of_second = "" if second is None else f"{'✓' if second.holds else '✗'} {second.says} ({second.bounds})"
    return {
        "claim": name,
        "means": row.claim.means,
        "checked how": row.claim.how,
        "bounds": row.finding.bounds,
        "states": f"{row.finding.states:,}",
        "verdict": f"{'✓ holds' if row.holds else '✗ broken'}: {row.finding.says}",
        "of the second handler": of_second,
        "found of mutants": " ".join(seen),
        "remarks": " ".join(_said_of(row)),
        "token": of_mutant.schedule.token if of_mutant is not None and of_mutant.schedule is not None else "",
    }


Claims._repr_html_ = lambda found: claims_table(found)._repr_html_()  # type: ignore[attr-defined]
