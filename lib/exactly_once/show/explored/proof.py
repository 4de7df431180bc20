"""The result of `prove`, for display: the verdict, the explored bounds, and a drawing of the simplest failing
schedule.
"""

from html import escape

import pandas as pd

from ...explore.proof import Counterexample, Proof
from ..base.checks import Mood, given
from ..base.picture import Picture
from ..pictures import spacetime_picture


def proof(found: Proof, whole: bool = False) -> Picture:
    """Return a `Proof` as a picture: the verdict with states, seconds and bounds, and its counterexample, drawn.

    The diagram ends with the step that does the damage, and begins as early before it as fits; with `whole` it shows
    all events. Raises `BadInput` for anything but a proof.
    """
    html = f"{proof_html(given(found, Proof))}{facts(found)}"
    if (example := example_of(found)) is not None:
        html += f"{explanation_html(found)}{drawn_html(example, whole=whole)}{token_html(example)}"
    return Picture(html, proof_table(found), str(found))


Proof._repr_html_ = lambda found: proof(found)._repr_html_()  # type: ignore[attr-defined]  # for a notebook that ends a cell with prove(...)


def verdict_of(found: Proof) -> tuple[str, str, Mood]:
    """Return (sign, headline, mood) of a proof; the mood is "good", "bad" or "none"."""
    words = f"{found.headline}."
    if found.counterexample is not None:
        return "✗", words, "bad"
    return ("✓", words, "good") if found.ok and not found.silent else ("–", words, "none")


def proof_html(found: Proof) -> str:
    """Return the verdict in a box. Everything in it is escaped."""
    sign, words, mood = verdict_of(found)
    said = list(found.sentences)
    if found.counterexample is not None:
        del said[1]  # the extent of the exploration stands below, as facts
    return (
        f'<div class="eo-proof eo-says eo-is-{mood}"><strong>{sign} {words}</strong> {escape(" ".join(said))}</div>'
    )


def facts(found: Proof) -> str:
    """Return the extent of the exploration, as facts in a row."""
    row = "".join(
        f'<div class="eo-fact"><p class="eo-h">{escape(what)}</p><p>{escape(says)}</p></div>'
        for what, says in _numbers(found)
    )
    return f'<div class="eo-fact-row" style="margin-top:12px">{row}</div>'


def _numbers(found: Proof) -> list[tuple[str, str]]:
    whole = "all of them" if found.exhausted else found.stopped or "up to the first that fails"
    return [
        ("Handler", found.name),
        ("Bounds", found.covers),
        ("States", f"{found.states:,}, {whole}"),
        ("Time", f"{found.seconds:.2f} s"),
    ]


def example_of(found: Proof) -> Counterexample | None:
    """Return the schedule that a proof shows: a failing one, or one with a waiting incarnation; or None."""
    return found.counterexample if found.counterexample is not None else found.liveness_violation


def explanation_html(found: Proof) -> str:
    """Return the schedule of a proof, line by line, under its title; "" where there is none."""
    example = example_of(found)
    if example is None:
        return ""
    lines = "".join(f"<li>{escape(line)}</li>" for line in example.explanation)
    return f'<p class="eo-h" style="margin-top:12px">{title_of(found)}</p><ol class="eo-story">{lines}</ol>'


def title_of(found: Proof) -> str:
    """Return the title of the schedule of a proof."""
    if found.counterexample is not None:
        return "The simplest schedule that fails"
    return "Not lock-free: the simplest schedule that shows it"


def drawn_html(example: Counterexample, width: int = 1000, whole: bool = False) -> str:
    """Return the space–time diagram of a schedule: up to what is wrong in it, or of all events."""
    return spacetime_picture(example, width=width, whole=whole)


def token_html(example: Counterexample) -> str:
    """Return the token of a schedule."""
    return f'<p class="eo-dim">Token: <span class="eo-tag eo-token">{escape(example.token)}</span></p>'


def proof_table(found: Proof) -> pd.DataFrame:
    """Return a proof as a DataFrame: the question, the result, and the schedule line by line."""
    rows = [("Verdict", verdict_of(found)[1]), *_numbers(found)]
    if (example := example_of(found)) is not None:
        rows += [("What is wrong" if found.counterexample else "Not lock-free", example.sentence)]
        rows += [(f"Schedule, {number}", line) for number, line in enumerate(example.explanation, start=1)]
        rows += [("Token", example.token)]
    return pd.DataFrame(rows, columns=["what", "says"])
