"""The ladder as fragments of HTML: the grid, the proof of the cell that is open, and the same as a table."""

from html import escape

import pandas as pd

from ... import show
from ...explore.parts import PARTS
from ..base.controls import button, segments
from .model import FAULTS, JOB, is_abstract

SIGNS = {"right": "✓", "damaged": "✗", "unknown": "?"}
SHORT = {"output": "out", "state": "state", "positions": "pos", "counter": "count"}
ABSTRACT = "abstract store"
WHY_ABSTRACT = (
    "Over an abstract store, which commits a transaction in one step: with a pause, the search over the protocol "
    "itself comes to no end, as an incarnation goes on and on in ever new states."
)
OF = (
    f"{JOB.items} hours, a window of {JOB.duration}, counted above {JOB.threshold} readings; one fault of the kind. "
    "✓ right at the end of every schedule, ✗ damaged by some. Click a cell to prove it."
)


def fragments(model, width):
    """Return {trait: value} of a `LadderModel`."""
    state = model.state
    return {
        "toolbar": toolbar(model),
        "grid": grid(model),
        "head": head(state),
        "proof": proof(state, width),
        "words": folds(model),
        "status": status(state),
        "of": escape(OF),
    }


def title(strategy):
    """Return the title of a row."""
    return strategy.replace("_", " ")


def toolbar(model):
    """Return the buttons, the progress, and the legend of the cells."""
    state, left = model.state, len(model.left)
    running = state.busy == "running"
    words = f"∀ Prove all {left} that are left" if left else "All are proved"
    off = not left or state.progress is not None or state.busy == "stopping"
    return (
        f"{button('eo-prove-all', 'all', words, off, primary=True)}{button('eo-stop', 'stop', '■ Stop', not running)}"
    )


def status(state):
    """Return the line on the work under way, with a bar where the length is known."""
    if state.proving is None or state.busy == "idle":
        return escape(state.status)
    strategy, fault = state.proving
    seen = f", {state.seen:,} states" if state.seen else ""
    bar = ""
    if state.progress:
        done, total = state.progress
        bar = f'<progress value="{done}" max="{total}" aria-label="{done} of {total}"></progress>{done} of {total} · '
    word = "Stopping" if state.busy == "stopping" else "Proving"
    return f"{bar}<span>{word} {escape(title(strategy))} under a {escape(fault)}{seen} …</span>"


def grid(model):
    """Return the cells as a table of buttons."""
    columns = "".join(f'<th scope="col">{escape(fault)}</th>' for fault in FAULTS)
    rows = "".join(
        f'<tr><th scope="row">{escape(title(strategy))}</th>'
        + "".join(f"<td>{_cell(model.state, strategy, fault)}</td>" for fault in FAULTS)
        + "</tr>"
        for strategy in model.strategies
    )
    return (
        f'<div data-arrows data-across="{len(FAULTS)}"><table class="eo-rungs">'
        f"<thead><tr><td></td>{columns}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _cell(state, strategy, fault):
    key = (strategy, fault)
    cell, here = state.cells.get(key), state.open == key
    about = f"{title(strategy)}, {fault}: {in_words(cell)}"
    if state.proving == key:
        inside, kind = (
            '<span class="eo-empty-rung"><span class="eo-spin" aria-hidden="true"></span> proving</span>',
            "",
        )
    elif cell is None:
        inside, kind = '<span class="eo-empty-rung">· prove</span>', " eo-unproved"
    else:
        inside = '<span class="eo-marks-of">' + "".join(_mark(part, cell.marks[part]) for part in PARTS) + "</span>"
        kind = " eo-ladder-hurt" if cell.damaged else " eo-fine" if "unknown" not in cell.marks.values() else ""
    note = ""
    if is_abstract(*key):
        note = f'<small class="eo-abstract">{ABSTRACT}</small>'
        about += f", {ABSTRACT}"
    name = "|".join(key)
    return (
        f'<button type="button" class="eo-rung{kind}" data-do="cell" data-value="{escape(name)}" '
        f'data-key="cell-{escape(name)}" aria-pressed="{"true" if here else "false"}" aria-label="{escape(about)}" '
        f'title="{escape(about)}">{inside}{note}</button>'
    )


def _mark(part, standing):
    return f'<span class="eo-ladder-part eo-ladder-{standing}"><i>{SIGNS[standing]}</i>{SHORT[part]}</span>'


def in_words(cell):
    """Return the marks of a cell in words."""
    if cell is None:
        return "not proved yet"
    said = []
    for standing in SIGNS:
        parts = [part for part in PARTS if cell.marks[part] == standing]
        said += [f"{SIGNS[standing]} {standing}: {', '.join(parts)}"] if parts else []
    return "; ".join(reversed(said)) if cell.damaged else "; ".join(said)


def head(state):
    """Return the title of the open cell, and its parts to choose from."""
    if state.open is None:
        return ""
    strategy, fault = state.open
    cell = state.cells.get(state.open)
    said = f'<span class="eo-h">{escape(title(strategy))} under a {escape(fault)}</span>'
    if cell is None or cell.found is None:
        return said
    titles = {part: f"{SIGNS[cell.marks[part]]} {part}" for part in PARTS}
    return said + segments("part", titles, state.part, spoken="{}: its proof")


def proof(state, width):
    """Return the proof of the chosen part: its bounds, or the simplest schedule that damages the part."""
    cell = state.cells.get(state.open)
    if state.open is None:
        return '<p class="eo-dim">The proof of a cell, or what breaks it, opens here.</p>'
    if cell is None or cell.found is None:
        if state.proving != state.open:
            return '<p class="eo-dim">Not proved here yet: click the cell.</p>'
        return f'<p class="eo-dim">{"Proved before; proved again, to be drawn" if cell else "Proving"} …</p>'
    found, part = cell.found.of[state.part], state.part
    note = f" {WHY_ABSTRACT}" if is_abstract(*state.open) else ""
    covered = f"Bounds: {found.covers}.{note}"
    standing = cell.marks[part]
    if standing == "right":
        same = [other for other in PARTS if cell.found.of[other] is found]
        rest = f"Proved together: {', '.join(same)}; " if len(same) > 1 else ""
        return _says(
            "good",
            f"✓ The {part} {_is(part)} right at the end of every schedule within the bounds.",
            f"{rest}{found.states:,} states, all of them. {covered}",
        )
    if standing == "unknown":
        why = found.counterexample.sentence if found.counterexample else f"the search ended early: {found.stopped}"
        return _says("none", f"? Not known of the {part}", f"{why} {covered}")
    verdict = cell.verdicts[part]
    picture, _ = show.quiet_picture(verdict, show.item_shown(verdict.run), width)
    lines = "".join(f"<li>{escape(line)}</li>" for line in found.counterexample.explanation)
    headline = f"✗ The {part} can be damaged. The simplest schedule that does it:"
    return (
        _says("bad", headline, f"{verdict.sentence} {covered}")
        + picture
        + '<details class="eo-folded"><summary>Step by step, and its token</summary>'
        + f'<ol class="eo-story">{lines}</ol><p class="eo-dim">Token: <span class="eo-tag eo-token">'
        + f"{escape(found.counterexample.token)}</span></p></details>"
    )


def _says(mood, headline, sentence):
    return f'<div class="eo-says eo-is-{mood}"><strong>{escape(headline)}</strong> {escape(sentence)}</div>'


def _is(part):
    return "are" if part == "positions" else "is"


def ladder_table(model):
    """Return the ladder as a DataFrame: one row a strategy, one column a kind of fault."""
    rows = {
        fault: [in_words(model.state.cells.get((strategy, fault))) for strategy in model.strategies]
        for fault in FAULTS
    }
    return pd.DataFrame({"strategy": list(map(title, model.strategies)), **rows})


def folds(model):
    """Return the ladder as a table that unfolds."""
    return show.folded(ladder_table(model), "The ladder as a table")
