"""Proving on the screen, as fragments of HTML: the bounds, the progress, the verdict and the failing schedule."""

from html import escape

from ... import show
from ...show.explored.proof import explanation_html, facts, proof_html, token_html
from ..base.controls import button, error_html, number_field
from .model import BOUNDS


def bounds_html(state):
    """Return the fields of the bounds, and the button that starts the search."""
    off = state.busy != "idle"
    values = {**state.bounds.json(), "seconds": state.seconds}
    fields = [
        number_field(title, name, values[name], state.refused, most, off, least)
        for name, (title, least, most) in BOUNDS.items()
    ]
    return (
        f'<div class="eo-bounds" role="group" aria-label="Bounds of the proof">{"".join(fields)}'
        f"{button('eo-prove', 'prove', '∀ Prove', off, primary=True)}</div>"
    )


def progress_html(state):
    """Return the progress of the search: states, states a second, and the time as a bar, since its end is unknown."""
    if state.busy == "idle":
        return f"<span>{escape(state.status)}</span>" if state.status else ""
    pace = f", {state.states / state.elapsed:,.0f} a second" if state.states and state.elapsed else ""
    spent = f"{state.elapsed:.0f} of at most {state.seconds} seconds"
    word = "Stopping …" if state.busy == "stopping" else "Searching …"
    return (
        f'<progress value="{min(state.elapsed, state.seconds):.1f}" max="{state.seconds}" aria-label="{spent}">'
        f'</progress><span class="eo-pace-of-states">{word} {state.states:,} states{pace} · {spent}</span>'
    )


def verdict_html(state):
    """Return the verdict with the explored bounds, and the failing schedule in words."""
    if state.proof is None and state.busy != "idle":
        return ""
    if state.proof is None:
        return (
            '<div class="eo-says"><strong>Does it always hold?</strong> Choose how much may go wrong, then prove: '
            'every schedule within these bounds is tried. <span class="eo-dim">Either all of them end as they '
            "should, or you get the simplest one that does not.</span></div>"
        )
    return f"{proof_html(state.proof)}{facts(state.proof)}{explanation_html(state.proof)}"


def found_html(state, width=900):
    """Return the schedule drawn: tape, space–time diagram, token, and the button that opens the debugger."""
    found = state.proof.example if state.proof is not None else None
    if found is None:
        return ""
    tape = f'<p class="eo-h">Output log</p>{show.tape_html(found.verdict)}' if found.verdict is not None else ""
    table = show.folded(show.trace_table(found.trace), "The whole trace as a table, in the order of the clocks")
    title = "Space–time diagram: each number is a Lamport stamp"
    drawn = show.spacetime_picture(found, width=width)
    opens = button("eo-open-proof", "open_proof", "Open in the debugger")
    return (
        f'{tape}<div class="eo-console-spacetime"><p class="eo-h">{title}</p>{drawn}{table}</div>'
        f'<div class="eo-open-row">{opens}{token_html(found)}</div>'
    )


def section_html(state, name, width=900):
    """Return all of it as one section of the console; `name` is the handler's name."""
    return (
        f'<p class="eo-h">Every schedule of this handler: {escape(name)}</p>{bounds_html(state)}'
        f'<div class="eo-status" role="status">{progress_html(state)}</div>'
        f'<div class="eo-error" role="alert">{error_html(state.error)}</div>'
        f'<div class="eo-proved" role="status" aria-live="polite">{verdict_html(state)}</div>'
        f'<div class="eo-found">{found_html(state, width)}</div>'
    )
