"""The stepper on the screen, as fragments of HTML: the choices, a verdict, the queue, its pushers, the way."""

from html import escape

from ...lockfree.progress import RESERVED
from ...lockfree.queue import index_in
from ...simulate.decision import CRASH
from ..base.controls import banner, button, field, row, segments, text_field, token_to_copy, truth
from ..base.nodes import colour, plural, who
from .model import ONE_VALUE, QUEUES
from .moment import QUEUE, named, told, words

LEAST_CELLS = 5
NEXT_LIFE = {
    "lock-free": "Its next incarnation begins anew, and knows nothing of what this one has pushed.",
    "prepared": "Its next incarnation finds in a register how far this one came, and which place it prepared.",
    "spinlock": "Its next incarnation begins anew. If this one had the lock, nobody will release it.",
    "reserving": "Its next incarnation begins anew.",
}
RUN_ALL = {"reserving": "▶▶ Run all, each until it is about to fill"}


def fragments(model, _width=None):
    """Return {trait: HTML} from the model's state."""
    state = model.state
    return {
        "choices": choices_html(state),
        "tools": tools_html(model),
        "says": says_html(state),
        "cells": cells_html(state),
        "pushers": pushers_html(state),
        "way": way_html(model),
        "registers": registers_html(state),
    }


def choices_html(state):
    """Return the choices; each choice starts again."""
    one = state.queue in ONE_VALUE
    return (
        field("Queue", segments("queue", QUEUES, state.queue))
        + field("Pushers", segments("pushers", {2: "2", 3: "3"}, state.pushers, spoken="{} pushers"))
        + field(
            "Values each", segments("values", {1: "1", 2: "2"}, 1 if one else state.values, off=one, spoken="{} each")
        )
    )


def tools_html(model):
    """Return the buttons for all, and the token."""
    state = model.state
    going = [one for one in state.moment.pushers if one.next is not None and one.node not in state.asleep]
    return (
        button("eo-all", "all", RUN_ALL.get(state.queue, "▶▶ Run all in turns"), off=not going, primary=True)
        + button("eo-undo", "undo", "↶ Undo", off=state.at == 0)
        + button("eo-redo", "redo", "↷ Redo", off=state.at == len(state.way))
        + button("eo-restart", "restart", "Begin anew", off=not state.way and not state.asleep)
        + '<span class="eo-queue-stepper-grow"></span>'
        + token_to_copy(model.token, "Token of the steps so far", "Copy")
        + text_field("Token", "token", "paste a token, Enter", state.refused)
    )


def says_html(state):
    """Return the verdict: its kind as a colour and a mark, and a sentence or two."""
    kind, head, rest = verdict(state)
    mark = {"good": "✓ ", "bad": "✗ ", "warn": "! ", "none": ""}[kind]
    return banner(kind, f"<strong>{mark}{escape(head)}</strong> {escape(rest)}")


def verdict(state):
    """Return (the kind of banner, its first sentence, the others)."""
    moment = state.moment
    if moment.doubled or moment.missing:
        return _damage(moment)
    spinning = [one for one in moment.pushers if one.spins and one.node not in state.asleep]
    if spinning:
        return _spins(state, spinning[0])
    if state.turns:
        return (
            "warn",
            f"{state.turns} steps in turns, and nobody has come to an end.",
            "Each takes the other’s reservation away, and could go on like this for ever. Let one of them run "
            "alone: it ends. That is obstruction-free, and less than lock-free.",
        )
    left = [one.node for one in moment.pushers if one.next is not None]
    if not left:
        return _all_ended(state)
    asleep = [node for node in left if node in state.asleep]
    if len(asleep) == len(left):
        awake = "the others have finished" if moment.ended else "nobody goes on"
        return (
            "good" if moment.ended else "none",
            f"{_names(asleep).capitalize()} {'sleeps' if len(asleep) == 1 else 'sleep'}, and {awake}.",
            "Nobody had to wait. Wake it up, and see where its value goes." if moment.ended else "Wake one up.",
        )
    return _under_way(state)


def _damage(moment):
    if moment.missing:
        return "bad", f"{moment.missing[0]} is not in the queue.", "Its pusher has ended: a record is lost."
    value = moment.doubled[0]
    cells = [cell for cell in moment.cells if cell.value == value]
    deaths = [move for move in moment.deaths if move.node == cells[0].node]
    at = " and ".join(str(cell.at) for cell in cells)
    why = f"Pusher {cells[0].node + 1} died at move {deaths[-1].number}, " if deaths else ""
    return (
        "bad",
        f"{value} is in the queue {'twice' if len(cells) == 2 else f'{len(cells)} times'}, in the cells {at}.",
        f"{why}when its value was in its cell, and its next incarnation began anew: each pushed it once. A push "
        "that is cut off and made again doubles; with a prepared place it does not.",
    )


def _spins(state, one):
    holder = state.moment.lock
    rest = "It asks again and again, and nobody writes."
    if holder is not None:
        asleep = holder in state.asleep
        rest = (
            f"Pusher {holder + 1} has the lock{' and sleeps' if asleep else ''}. "
            f"{'As long as it sleeps' if asleep else 'Until it takes its steps'}, nobody else makes progress."
        )
        if any(move.node == holder for move in state.moment.deaths):
            rest = f"The incarnation of pusher {holder + 1} that took the lock is dead: nobody will ever release it."
    return "bad", f"Pusher {one.node + 1} spins.", rest


def _all_ended(state):
    moment = state.moment
    count = sum(cell.value is not None for cell in moment.cells)
    rest = f"{plural(count, 'value')}, each there once."
    if state.queue != "reserving":
        _, hint = moment.hint
        lag = moment.full - hint
        rest += (
            f" The hint says {hint}, where the next empty cell is."
            if not lag
            else f" The hint says {hint} and lags by {plural(lag, 'cell')}: the next pusher walks, and moves it."
        )
    return "good", "All have ended.", rest


def _under_way(state):
    moment = state.moment
    if not state.at:
        return "none", "Nothing is in the queue yet.", "Choose who takes the next step, who sleeps, and who dies."
    helps = [one for one in moment.helps if one.move == state.at]
    if helps:
        one = helps[0]
        cells = " and ".join(map(str, one.cells))
        return (
            "good",
            f"Pusher {one.node + 1} helps.",
            f"It moved the hint past {'cell' if len(one.cells) == 1 else 'the cells'} {cells}, which "
            f"{_names(one.of)} filled without getting that far.",
        )
    move = moment.moves[-1]
    if move.kind == CRASH:
        return "none", f"Pusher {move.node + 1} died.", NEXT_LIFE[state.queue]
    if move.reply == "refused" or move.effect == "refused":
        return (
            "none",
            f"Pusher {move.node + 1} was refused.",
            "Another one was faster, so somebody got on: that is what lock-free means. It goes on from there."
            if state.queue != "reserving"
            else "Another one has taken its reservation away. It begins again.",
        )
    head = f"Pusher {move.node + 1}: {words(move)}."
    _, hint = moment.hint
    if state.queue != "reserving" and moment.full > hint:
        lag = plural(moment.full - hint, "cell")
        return "none", head, f"The hint says {hint} and lags by {lag}; it never says too much."
    return "none", head, ""


def _names(nodes):
    return " and ".join(f"pusher {node + 1}" for node in nodes)


def cells_html(state):
    """Return the queue: a box for each cell, above it the pushers that ask it next, and the hint below."""
    moment = state.moment
    count = max(LEAST_CELLS, len(moment.cells) + 1, sum(map(len, moment.pushed.values())) + 1)
    looks = {node: [] for node in range(count)}
    for one in moment.pushers:
        index = index_in(QUEUE, one.register)
        if index is not None and index < count:
            looks[index].append(one.node)
    prepared = {place[1]: node for node, place in moment.places.items() if place[1] is not None}
    _, hint = moment.hint
    last = moment.moves[-1] if moment.moves else None
    boxes = [_box(state, index, looks[index], prepared.get(index), last) for index in range(count)]
    version = moment.hint[0]
    shown = state.queue != "reserving"
    mark = (
        f'<p class="eo-queue-stepper-hint" style="--at:{min(hint, count - 1)}"><span '
        'aria-hidden="true">▲</span> the hint says '
        f"<b>{hint}</b> <small>version {version}</small></p>"
        if shown
        else '<p class="eo-queue-stepper-hint" style="--at:0">There is no hint: each begins at cell 0.</p>'
    )
    return f'<ol class="eo-queue" aria-label="Cells of the queue">{"".join(boxes)}</ol>{mark}'


def _box(state, index, looks, prepared, last):
    moment = state.moment
    cell = moment.cells[index] if index < len(moment.cells) else None
    above = " ".join(f"<span>{who(node)} next</span>" for node in looks) or "&nbsp;"
    kinds, value, by = ["eo-cell"], "empty", "version 0"
    style = ""
    if cell is not None and cell.version:
        value = "reserved" if cell.value == RESERVED else str(cell.value)
        by = f"{who(cell.node)} version {cell.version}"
        style = f' style="--c:var(--eo-{colour(cell.node)})"'
        kinds += ["eo-taken"] + (["eo-again"] if cell.value in moment.doubled else [])
        kinds += ["eo-reserved"] if cell.value == RESERVED else []
    if last is not None and last.part == f"register.{QUEUE}.{index}" and last.reply == "done" and last.writes:
        kinds.append("eo-queue-stepper-now")
    mine = cell is not None and cell.node == prepared
    below = f"prepared for {who(prepared)}" if prepared is not None and not mine else "&nbsp;"
    twice = " ✗ twice" if cell is not None and cell.value in moment.doubled else ""
    return (
        f'<li class="{" ".join(kinds)}"{style} data-cell="{index}"><small class="eo-looks">{above}</small>'
        f'<span class="eo-box"><small>{index}</small><b>{escape(value)}{twice}</b><small>{by}</small></span>'
        f'<small class="eo-place">{below}</small></li>'
    )


def pushers_html(state):
    """Return the panels of the pushers, side by side."""
    panels = "".join(pusher_html(state, one) for one in state.moment.pushers)
    return f'<div class="eo-pushers eo-of-{state.pushers}">{panels}</div>'


def pusher_html(state, one):
    """Return the panel of a pusher: its next step, and its buttons."""
    node, asleep = one.node, one.node in state.asleep
    values = ", ".join(map(str, state.moment.pushed[node]))
    over = one.next is None
    says = "has ended" if over else f"next: {told(one.next)}"
    if asleep:
        says = f"asleep before: {told(one.next)}"
    elif one.spins:
        says = f"spins: {told(one.next)}"
    name, holds = f"pusher {node + 1}", " · has the lock" if state.moment.lock == node else ""
    buttons = row(
        "eo-queue-stepper-row",
        f"Pusher {node + 1}",
        _button(f"eo-step-{node}", "step", node, f"▶ Step <kbd aria-hidden='true'>{node + 1}</kbd>", f"Step {name}",
                off=over or asleep, primary=True, key=node + 1),
        _button(f"eo-run-{node}", "run", node, "▶▶ Run", f"Run {name} to its end", off=over or asleep),
        _button(f"eo-sleep-{node}", "sleep", node, "☀ Wake" if asleep else "☾ Sleep",
                f"{'Wake' if asleep else 'Put to sleep'}: {name}", off=over, pressed=asleep),
        _button(f"eo-kill-{node}", "kill", node, "✖ Kill", f"Kill {name} before its next step", off=over),
    )  # fmt: skip
    kinds = " eo-asleep" if asleep else " eo-queue-stepper-over" if over else " eo-spinning" if one.spins else ""
    return (
        f'<section class="eo-pusher{kinds}" style="--c:var(--eo-{colour(node)})" aria-label="Pusher {node + 1}">'
        f"<h3>{who(node)} Pusher {node + 1} "
        f'<small class="eo-dim">incarnation {one.life} · pushes {escape(values)}{holds}'
        "</small></h3>"
        f'<p class="eo-queue-stepper-next-step" title="{escape(says)}">{escape(says)}</p>{buttons}</section>'
    )


def _button(css, do, node, title, spoken, off=False, primary=False, pressed=None, key=None):
    state = "" if pressed is None else f' aria-pressed="{truth(pressed)}"'
    shortcut = f' aria-keyshortcuts="{key}" data-number="{key}"' if key else ""
    return (
        f'<button type="button" class="eo-button {css}{" eo-primary" if primary else ""}" data-do="{do}" '
        f'data-value="{node}" data-key="{do}-{node}" aria-label="{escape(spoken)}"{state}{shortcut}'
        f"{' aria-disabled=true' if off else ''}>{title}</button>"
    )


def way_html(model):
    """Return the taken and the undone steps, newest last; each is a button that leads to its moment."""
    state = model.state
    helps = {one.move: one for one in state.moment.helps}
    items = []
    for move in state.moment.moves:
        extra = f" <em>helps {_names(helps[move.number].of)}</em>" if move.number in helps else ""
        kind = " eo-died" if move.kind == CRASH else " eo-queue-stepper-refused" if move.reply == "refused" else ""
        now = ' aria-current="step"' if move.number == state.at else ""
        text = f"{'✖ ' if move.kind == CRASH else ''}{words(move)}"
        items.append(
            f'<li><button type="button" class="eo-queue-stepper-move{kind}" data-do="go" data-value="{move.number}" '
            f'data-key="go-{move.number}"{now}><i>{move.number}</i> {who(move.node)} {escape(text)}{extra}'
            "</button></li>"
        )
    undone = len(state.way) - state.at
    more = (
        f'<li class="eo-dim eo-undone">{plural(undone, "step")} undone; Redo takes them again</li>' if undone else ""
    )
    empty = '<li class="eo-dim">No step was taken yet.</li>' if not items and not more else ""
    return (
        f'<p class="eo-h">Steps taken</p><ol class="eo-moves" data-arrows tabindex="0" aria-label="Steps taken">'
        f"{''.join(items)}{more}{empty}</ol>"
    )


def registers_html(state):
    """Return all written registers as a table."""
    rows = "".join(
        f'<tr><th scope="row">{escape(named(name))}</th><td>{version}</td>'
        f"<td>{escape(_value(name, value))}</td><td>{who(node)} {node + 1}</td></tr>"
        for name, (version, value, node) in sorted(state.moment.registers.items(), key=_order)
    )
    head = "<tr><th>register</th><th>version</th><th>holds</th><th>by</th></tr>"
    body = rows or '<tr><td colspan="4" class="eo-dim">Nothing was written yet.</td></tr>'
    return (
        '<p class="eo-h">The registers</p><div class="eo-registers" tabindex="0" role="region" '
        'aria-label="Registers"><table '
        f'class="eo-queue-stepper-holds"><thead>{head}</thead><tbody>{body}</tbody></table></div>'
    )


def _value(name, value):
    if name.startswith("place"):
        done, index = value
        return f"{done} done" + (f", next into cell {index}" if index is not None else "")
    return str(value)


def _order(item):
    index = index_in(QUEUE, item[0])
    return (1, index, "") if index is not None else (0, 0, item[0])
