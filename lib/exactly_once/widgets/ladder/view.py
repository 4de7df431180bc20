"""The ladder as fragments of HTML: the grid, the proof of the cell that is open, and the same as a table."""

from html import escape

import pandas as pd

from ... import show
from ...explore.parts import PARTS
from ...show.base.canvas import dot, group, mark
from ..base.controls import button, segments, truth
from .model import FAULTS, JOB

SIGNS = {"right": "✓", "damaged": "✗", "unknown": "?"}
WHY_ABSTRACT = (
    "Over an abstract store, which commits a transaction in one step: with a pause, the search over the protocol "
    "itself comes to no end, as an incarnation goes on and on in ever new states."
)
OF = f"{JOB.items} hours, a window of {JOB.duration}, counted above {JOB.threshold} readings; one fault"
DOT, GAP = 10, 4  # pixels of a dot, and between two
SHAPES = {
    "right": dot(5, 5, 5, "eo-dot-right"),
    "damaged": mark("path", "eo-dot-damaged", d="M1 1L9 9M9 1L1 9"),
    "unknown": mark("path", "eo-dot-unknown", d="M0.7 5H9.3"),
    "": dot(5, 5, 2, "eo-dot-none"),
}


def fragments(model, width):
    """Return {trait: value} of a `LadderModel`."""
    return {
        "toolbar": toolbar(model),
        "ask": ask(model),
        "grid": grid(model),
        "head": head(model),
        "proof": proof(model, width),
        "words": folds(model),
        "status": status(model.state),
    }


def title(strategy):
    """Return the title of a row."""
    return strategy.replace("_", " ")


def toolbar(model):
    """Return the buttons."""
    state, left = model.state, len(model.left)
    running = state.busy == "running"
    words = f"▶ Prove the {left} left" if left else "All are proved"
    off = not left or state.progress is not None or state.busy == "stopping"
    return (
        f"{button('eo-prove-all', 'all', words, off, primary=True)}{button('eo-stop', 'stop', '■ Stop', not running)}"
    )


def ask(model):
    """Return the question about the columns, or in the end how many predictions were right; and the legend."""
    said = model.state.said
    firsts = {fault: model.first(fault) for fault in FAULTS}
    known = [fault for fault in said if firsts[fault] is not None]
    question = "<b>Which rung is the first that stands?</b> Click one in each column."
    if None not in firsts.values():
        question = "The green line runs below <b>the first rung that stands</b>."
    if known:
        right = sum(firsts[fault] == said[fault] for fault in known)
        question += f" <b>{right} right</b> of your {len(known)}."
    return (
        f'<p>{question}</p><p class="eo-ladder-legend">{dots(["right"])} right after every schedule '
        f"{dots(['damaged'])} damaged by some · {', '.join(PARTS)}</p>"
    )


def dots(standings):
    """Return the standings of parts as signs beside each other."""
    signs = [
        group(SHAPES[each], transform=f"translate({place * (DOT + GAP)} 0)") for place, each in enumerate(standings)
    ]
    width = len(standings) * (DOT + GAP) - GAP
    size = {"width": width, "height": DOT, "viewBox": f"0 0 {width} {DOT}"}
    return mark("svg", "eo-dots", aria_hidden="true", **size).with_marks(*signs).svg()


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
    """Return the cells as a table of buttons, the lowest rung at the bottom."""
    columns = "".join(f'<th scope="col">{escape(fault)}{_bet(model, fault)}</th>' for fault in FAULTS)
    rows = "".join(
        f'<tr><th scope="row">{escape(title(strategy))}</th>'
        + "".join(f"<td>{_cell(model, (strategy, fault))}</td>" for fault in FAULTS)
        + "</tr>"
        for strategy in reversed(model.strategies)
    )
    return (
        f'<div data-arrows data-across="{len(FAULTS)}"><table class="eo-rungs">'
        f"<thead><tr><td></td>{columns}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _bet(model, fault):
    """Return the mark of a column's head: whether it asks, was answered, and how the answer fared."""
    said, first = model.state.said.get(fault), model.first(fault)
    if first is None:
        told, css = ("⚑ said", "said") if said else ("first?", "asks")
    elif said is None:
        return '<small class="eo-bet">&nbsp;</small>'
    else:
        told, css = ("⚑ ✓ right", "right") if said == first else ("⚑ ✗ not it", "missed")
    return f'<small class="eo-bet eo-bet-{css}">{told}</small>'


def _cell(model, key):
    state, (strategy, fault) = model.state, key
    cell = state.cells.get(key)
    about = f"{title(strategy)}, {fault}: {in_words(cell)}{', abstract store' if model.is_abstract(*key) else ''}"
    css = " eo-stands" + "".join(f" eo-edge-{side}" for side in _edges(model, key)) if model.stands(key) else ""
    flag = ""
    if state.said.get(fault) == strategy:
        flag, about = '<span class="eo-flag" aria-hidden="true">⚑</span>', f"{about}; you said: the first that stands"
    if state.proving == key:
        inside = '<span class="eo-spin" aria-hidden="true"></span>'
    else:
        css += "" if cell else " eo-unproved"
        inside = dots([cell.marks[part] if cell else "" for part in PARTS])
    name, here = escape("|".join(key)), state.open == key
    return (
        f'<button type="button" class="eo-rung{css}{" eo-rung-open" if here else ""}" data-do="cell" '
        f'data-value="{name}" data-key="cell-{name}" aria-pressed="{truth(here and state.held)}" '
        f'aria-label="{escape(about)}">{flag}{inside}</button>'
    )


def _edges(model, key):
    """Return the sides of a standing cell at which the standing cells end: the outline of the staircase."""
    row, column = model.strategies.index(key[0]), list(FAULTS).index(key[1])
    beside = {"below": (row - 1, column), "left": (row, column - 1), "right": (row, column + 1)}
    names = {
        side: (model.strategies[there], list(FAULTS)[across])
        for side, (there, across) in beside.items()
        if there >= 0 and 0 <= across < len(FAULTS)
    }
    ends = [side for side, other in names.items() if other in model.state.cells and not model.stands(other)]
    return ends if row else ["below", *ends]


def in_words(cell):
    """Return the marks of a cell in words."""
    if cell is None:
        return "not proved yet"
    said = []
    for standing in SIGNS:
        parts = [part for part in PARTS if cell.marks[part] == standing]
        said += [f"{SIGNS[standing]} {standing}: {', '.join(parts)}"] if parts else []
    return "; ".join(reversed(said)) if cell.damaged else "; ".join(said)


def head(model):
    """Return the title of the open cell, and its parts to choose from."""
    state = model.state
    if state.open is None:
        return ""
    strategy, fault = state.open
    cell = state.cells.get(state.open)
    said = f'<span class="eo-h">{escape(title(strategy))} under a {escape(fault)}</span>'
    if cell is None or cell.found is None:
        return said
    titles = {part: f"{SIGNS[cell.marks[part]]} {part}" for part in PARTS}
    return said + segments("part", titles, state.part, spoken="{}: its proof")


def proof(model, width):
    """Return the proof of the chosen part: its bounds, or the simplest schedule that damages the part."""
    state = model.state
    cell = state.cells.get(state.open)
    if state.open is None:
        return '<p class="eo-dim">The proof of a cell, or what breaks it, opens here under the pointer.</p>'
    if cell is None or cell.found is None:
        if state.proving == state.open:
            return f'<p class="eo-dim">{"Proved before; proved again, to be drawn" if cell else "Proving"} …</p>'
        told = f"Proved before: {in_words(cell)}." if cell else "Not proved yet."
        name = "|".join(state.open)
        return f"<p>{escape(told)} {button('eo-prove-cell', 'prove', 'Prove this cell now', value=name)}</p>"
    found, part = cell.found.of[state.part], state.part
    note = f" {WHY_ABSTRACT}" if model.is_abstract(*state.open) else ""
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
    return show.folded(ladder_table(model), f"As a table. Proved for {OF}")
