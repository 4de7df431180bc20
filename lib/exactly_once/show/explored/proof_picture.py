"""The result of `prove`, for display: the verdict, the explored bounds, and a drawing of the simplest failing
schedule.
"""

from html import escape

from ...explore.proof import Counterexample, Proof
from ..base.checks import given
from ..base.picture import Picture, facts_row, says
from ..diagrams.spacetime import spacetime_picture


def proof(found: Proof, whole: bool = False) -> Picture:
    """Return a `Proof` as a picture: the verdict with states, seconds and bounds, and its counterexample, drawn.

    The diagram ends with the step that does the damage, and begins as early before it as fits; with `whole` it shows
    all events. Raises `BadInput` for anything but a proof.
    """
    html = f"{proof_html(given(found, Proof))}{facts(found)}"
    if (example := found.example) is not None:
        html += f"{explanation_html(found)}{spacetime_picture(example, whole=whole)}{token_html(example)}"
    return Picture(html, text=str(found))


def proof_html(found: Proof) -> str:
    """Return the verdict in a box. Everything in it is escaped."""
    sign, mood = ("✓", "good") if found.ok and not found.silent else ("–", "none")
    said = list(found.sentences)
    if found.counterexample is not None:
        sign, mood = "✗", "bad"
        del said[1]  # the extent of the exploration stands below, as facts
    return says(mood, f"{sign} {found.headline}.", escape(" ".join(said)), "eo-proof ")


def facts(found: Proof) -> str:
    """Return the extent of the exploration, as facts in a row."""
    whole = "all of them" if found.exhausted else found.stopped or "up to the first that fails"
    return facts_row(
        ("Handler", escape(found.name)),
        ("Bounds", escape(found.covers)),
        ("States", escape(f"{found.states:,}, {whole}")),
        ("Time", f"{found.seconds:.2f} s"),
    )


def explanation_html(found: Proof) -> str:
    """Return the schedule of a proof, line by line, under its title; "" where there is none."""
    example = found.example
    if example is None:
        return ""
    title = "The simplest schedule that fails"
    if found.counterexample is None:
        title = "Not lock-free: the simplest schedule that shows it"
    return f'<p class="eo-h" style="margin-top:12px">{title}</p>{story_html(example)}'


def story_html(example: Counterexample) -> str:
    """Return a schedule, line by line."""
    return f'<ol class="eo-story">{"".join(f"<li>{escape(line)}</li>" for line in example.explanation)}</ol>'


def token_html(example: Counterexample) -> str:
    """Return the token of a schedule."""
    return f'<p class="eo-dim">Token: <span class="eo-tag eo-token">{escape(example.token)}</span></p>'
