"""The table of claims."""

from html import escape

import pandas as pd

from ...claims.claim import Claim
from ...claims.found import SECOND, USUAL, WORDS, Claims, Finding
from ...claims.table import CLAIMS
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
CAPTION = f"The handler that is asked is {WORDS[USUAL]}. The second one is {WORDS[SECOND]}."


def claims_table(found: Claims) -> Picture:
    """Return the table of claims: each with its definition, its check and bounds, the verdict, and its mutants.

    Its caption names the asked handler and the second handler.
    """
    given(found, Claims)
    head = "".join(
        f'<th scope="col" style="width:{width}">{escape(title)}</th>'
        for title, width in zip(HEAD, WIDTHS, strict=True)
    )
    body = "".join(f"<tr>{_row_html(name, found)}</tr>" for name in found) + _real_time_html()
    table = (
        '<table class="eo-table eo-wraps eo-claims" style="width:100%;table-layout:fixed">'
        f'<caption style="text-align:left">{escape(CAPTION)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )
    rows = [_row_words(name, found) for name in found]
    rows.append(dict(zip(("claim", "means", "checked how", "verdict"), REAL_TIME, strict=True)))
    took = f'<p class="eo-dim">{found.seconds:.0f} s in all.</p>'
    return Picture(f"{scrolling(table, 'The claims')}{took}", pd.DataFrame(rows).fillna(""))


def _row_html(name: str, found: Claims) -> str:
    claim, row = CLAIMS[name], found[name]
    asked = [("" if which == USUAL else "The second handler: ", row[which]) for which in WORDS]
    how = escape(claim.how) + "".join(
        f'<br><span class="eo-dim">{which}{escape(one.bounds)}: {one.states:,} states.</span>' for which, one in asked
    )
    verdicts = "<br>".join(f"{which}{_verdict(one)}" for which, one in asked)
    seen = [
        f"<strong>{escape(mutant.name)}</strong><br>{escape(mutant.does)}<br>{_verdict(row[mutant.name])}"
        for mutant in claim.mutants
    ]
    seen += [f'<span class="eo-dim">{escape(said)}</span>' for said in _said_of(claim)]
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


def _said_of(claim: Claim) -> list[str]:
    """Return the other facts on a claim: the claims from which it follows, and a remark."""
    follows = [f"Follows from {' and '.join(claim.follows)}. {claim.because}"] if claim.follows else []
    return follows + [claim.remarks] * bool(claim.remarks)


def _verdict(finding: Finding) -> str:
    sign, word, css = ("✓", "holds", "harmless") if finding.holds else ("✗", "broken", "doubles")
    return f'<span class="eo-word eo-{css}"><i aria-hidden="true">{sign}</i> {word}</span> {escape(finding.says)}'


def _row_words(name: str, found: Claims) -> dict[str, str]:
    claim, row = CLAIMS[name], found[name]
    first, second = row[USUAL], row[SECOND]
    seen = [(mutant.name, row[mutant.name]) for mutant in claim.mutants]
    broken = [one.schedule.token for _, one in seen[:1] if one.schedule]
    return {
        "claim": name,
        "means": claim.means,
        "checked how": claim.how,
        "bounds": first.bounds,
        "states": f"{first.states:,}",
        "verdict": f"{'✓ holds' if all(row[one].holds for one in WORDS) else '✗ broken'}: {first.says}",
        "of the second handler": f"{'✓' if second.holds else '✗'} {second.says} ({second.bounds})",
        "found of mutants": " ".join(f"{mutant}: {one.says}" for mutant, one in seen),
        "remarks": " ".join(_said_of(claim)),
        "token": "".join(broken),
    }
