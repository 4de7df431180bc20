"""The crash console's screen as fragments of HTML, one for each region, from the state of its model."""

from html import escape

from ... import show
from ...faults import POINTS
from ..base.controls import button, field, segments, text
from ..prove.view import section_html
from .choices import row_title
from .toolbar import toolbar_html

OPEN = "Open in the debugger"
WHERE = {"simulated": "simulated", "cluster": "on the cluster"}


def fragments(model, proving, width=900, drawn=None):
    """Return {region: HTML} of a `ConsoleModel` and its `ProveModel`; `width` is that of the diagram's place in
    pixels.

    `drawn` is a dictionary that keeps the last diagram, which is the dearest to draw, from one call to the next.
    """
    state = model.state
    verdict = state.verdict
    return {
        "toolbar": toolbar_html(state, model.own, proving.state.busy),
        "code": code(model),
        "verdict": show.verdict_html(verdict, deaths=1 if state.live_life else 2) if verdict else waiting(state),
        "tape": titled("Output log", show.tape_html(verdict, one_line=bool(state.live_life))) if verdict else "",
        "facts": show.facts_html(verdict) if verdict else "",
        "diagram": kept(drawn, state, width) if verdict else "",
        "matrix": matrix(model),
        "proof": section_html(proving.state, row_title(state.choices.row, model.own), width),
        "status": status(state),
    }


def waiting(state):
    """Return what stands in the verdict's place before the first run."""
    if state.busy != "idle":
        return ""
    return (
        '<div class="eo-says"><strong>What will happen?</strong> Choose where the handler dies, make a guess, '
        'then run it. <span class="eo-dim">Simulated takes milliseconds; on the cluster a real process is killed.'
        "</span></div>"
    )


def code(model):
    """Return the handler's listing with its letters as buttons, marked by the verdict that is on the screen."""
    state, live = model.state, model.state.busy == "live"
    same = state.verdict is not None and state.shown is not None and state.shown.row == state.choices.row
    listing = show.code_html(
        model.handler(),
        chosen=None if live else state.choices.point,
        verdict=state.verdict if same and not live else None,
        armed=state.armed,
        buttons="arm" if live else "point",
        last_line=state.last_line if live else None,
    )
    return titled("The handler: click a letter to " + ("arm it" if live else "crash there"), listing)


def kept(drawn, state, width):
    """Return the diagram, drawn anew only for another verdict, another width, or a live run that ended."""
    drawn = {} if drawn is None else drawn
    now = (state.verdict, width, bool(state.live_life))
    if drawn.get("of") is None or drawn["of"][0] is not now[0] or drawn["of"][1:] != now[1:]:
        drawn.update(of=now, html=diagram(state, width))
    return drawn["html"]


def diagram(state, width):
    """Return the space–time diagram of the item that matters, with its table folded."""
    run = state.verdict.run
    item = newest(run) if state.live_life else show.item_shown(run)
    title = f"Space–time diagram of hour {item}: each number is a Lamport stamp" if item else "Space–time diagram"
    picture = show.spacetime_picture(run.trace, item, width)
    table = (
        ""
        if state.live_life
        else show.folded(show.trace_table(run.trace), "The whole trace as a table, in the clocks' order")
    )
    opens = "" if state.live_life else f'<div class="eo-open-row">{button("eo-open-run", "open_run", OPEN)}</div>'
    return f'<p class="eo-h">{escape(title)}</p>{picture}{table}{opens}'


def newest(run):
    """Return the item to draw while a run goes on: that of the last death if it was just now, else the newest."""
    last = max((event.item for event in run.trace if event.item is not None), default=None)
    deaths = [death.item for death in run.trace.deaths() if death.item is not None]
    return deaths[-1] if deaths and last is not None and last - deaths[-1] <= 2 else last


def matrix(model):
    """Return the matrix with its own controls: which world it stands for, and the button that fills it."""
    state = model.state
    rows, results = model.matrix()
    here = (state.choices.row, state.choices.point)
    grid = show.matrix_html(rows, results, here, buttons=True)
    off = state.busy != "idle"
    about = f"hour {state.choices.item}, {'worker' if state.choices.kill == 'worker' else 'whole executor'} dies"
    attempts = {1: "once", 2: "twice", 3: "three times"}[state.choices.attempts]
    head = [
        '<span class="eo-h">Every strategy, every point</span>',
        segments("world", WHERE, state.world, off, "fill the matrix {}"),
        button("eo-fill-matrix", "fill", "Fill the matrix", off),
        filling(state.progress) if state.progress else "",
    ]
    return (
        f'<div class="eo-matrix-head">{"".join(head)}</div>'
        f'<div class="eo-matrix-grid eo-scroll">{grid}</div><div class="eo-matrix-side">'
        f"<p>Each cell is one run, {WHERE[state.world]}: {about} {attempts}. "
        f"{len(results)} of {len(rows) * len(POINTS)} done. Fill them yourself, or run all. "
        "Shapes and words say the same as the colours.</p>"
        f"{field('Replay a token, then Enter', text('replay', 'eo2-…', off))}</div>"
    )


def filling(progress):
    """Return the bar and the Stop beside the matrix, since the ones at the top may be out of sight."""
    done, total = progress
    return f"{progress_bar(progress)}<span>{done} of {total}</span>{button('eo-stop-matrix', 'stop', '■ Stop')}"


def progress_bar(progress):
    """Return a bar for (done, total)."""
    done, total = progress
    return f'<progress value="{done}" max="{total}" aria-label="{done} of {total}"></progress>'


def status(state):
    """Return the line that says what is under way, with a bar where the length is known."""
    if state.busy == "idle" and not state.status:
        return ""
    bar = progress_bar(state.progress) if state.progress else ""
    spin = "" if state.busy == "idle" or bar else '<span class="eo-spin" aria-hidden="true"></span>'
    return f"{spin}{bar}<span>{escape(state.status or 'Running …')}</span>"


def titled(title, html):
    """Return a fragment under its heading."""
    return f'<p class="eo-h">{escape(title)}</p>{html}'


__all__ = ["fragments"]
