"""Proving from the crash console: the chosen bounds, the search under way, its result, and all of it as HTML."""

import threading
import time
from dataclasses import dataclass, field, replace
from html import escape

from ... import show
from ...explore.bounds import KINDS, MOST, Bounds
from ...pipeline import Job
from ...sandbox import pool as sandbox
from ...sandbox import prove_safely
from ...show.explored.proof import explanation_html, facts, proof_html, token_html
from ..base.controls import button, error_html, number_field
from ..base.model import QUIET_SECONDS, BackgroundWork, BaseState, typed_number

BOUNDS = {
    "nodes": ("Nodes", 1, 4),
    "items": ("Items (hours)", 1, 24),
    **{kind: (kind.replace("_", " ").capitalize(), 0, MOST) for kind in KINDS},
    "seconds": ("Seconds at most", 1, 600),
}


@dataclass(frozen=True)
class ProveState(BaseState):
    """The state of the screen. It is replaced as a whole, so that a reader never sees half a change.

    `handler` is that of `proof`; `elapsed` are the seconds since the search began, `states` is the number of states
    explored by then.
    """

    bounds: Bounds = field(default_factory=Bounds)
    seconds: int = 60
    states: int = 0
    elapsed: float = 0.0
    proof: object = None
    handler: object = None


class ProveModel(BackgroundWork):
    """The chosen bounds and the search.

    `chosen` returns the handler to prove; `job` gives window and threshold, the bounds give the number of hours.
    """

    what = "The prover"
    needs_fields = ("prove",)

    def __init__(self, chosen, job=None, prover=prove_safely):
        self.chosen, self.job, self.prover = chosen, job or Job(), prover
        super().__init__(ProveState())

    def actions(self):
        """Return the actions that `do` knows, by name."""
        chosen = {name: lambda value, name=name: self.choose(name, value) for name in BOUNDS}
        return chosen | {"prove": lambda _: self.prove(), "stop_proof": lambda _: self.stop()}

    def choose(self, name, value):
        """Change one of the bounds. Raises `WrongField` for a value that makes no sense; the bound then stays."""
        title, least, most = BOUNDS[name]
        number = typed_number(name, title, value, least, most)
        if name == "seconds":
            self.update(seconds=number)
        else:
            self.update(bounds=replace(self.state.bounds, **{name: number}))

    def prove(self):
        """Begin to search, in the child process, unless a search is under way."""
        self.begin("prove", self._search, quiet=True, states=0, elapsed=0.0, status="")

    def _search(self, work):
        handler, bounds = self.chosen(), self.state.bounds
        began = time.perf_counter()

        def go_on():
            elapsed = time.perf_counter() - began
            if elapsed > QUIET_SECONDS:
                self.report(work, elapsed=elapsed)
            return work.stopped()

        proof = self.prover(
            handler,
            job=replace(self.job, items=bounds.items),
            seconds=self.state.seconds,
            progress=lambda states: self.report(work, states=states, elapsed=time.perf_counter() - began),
            stopped=go_on,
            **{name: number for name, number in bounds.json().items() if name != "items"},
        )
        self._found = {"proof": proof, "handler": handler}

    def overdue(self, work):
        """End a handler that makes no progress, with its process."""
        sandbox.interrupt(work.thread)

    def failed(self, why, work):
        """Show the error that the search raised; there is no proof then."""
        self._found = {"proof": None}
        if not work.stopped():
            self.fail(why)

    def at_end(self, work):
        """Return the result of the search, or the way it was ended."""
        ended = "Stopped: the handler did not get to its next step in time, so its process was ended."
        return self._found | ({"status": ended} if self._found["proof"] is None and work.stopped() else {})


def warm_up():
    """Start the child process in the background, so that the first search need not wait for it."""
    threading.Thread(target=sandbox.warm_up, name="warm up", daemon=True).start()


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
