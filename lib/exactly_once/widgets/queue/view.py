"""The queue on the screen: its verdict, its cells with the hint, and its registers."""

from html import escape

from ...lockfree.progress import RESERVED
from ...lockfree.queue import index_in
from ...node.access.handles import register_in
from ...simulate.decision import CRASH
from ..base.nodes import colour, plural, who
from ..player.view import table
from .moment import QUEUE, named, progress, told

LEAST_CELLS = 5
NEXT_LIFE = {
    "lock-free": "Its next incarnation begins anew, and knows nothing of what this one has pushed.",
    "prepared": "Its next incarnation finds in a register how far this one came, and which place it prepared.",
    "spinlock": "Its next incarnation begins anew. If this one had the lock, nobody will release it.",
    "reserving": "Its next incarnation begins anew.",
}


def verdict(state):
    """Return (the kind of banner, its first sentence, the others)."""
    moment = state.position
    if moment.doubled or moment.missing:
        return _damage(moment)
    spinning = [one for one in moment.nodes if one.spins and one.node not in state.asleep]
    if spinning:
        return _spins(state, spinning[0])
    if state.turns:
        return (
            "warn",
            f"{state.turns} steps in turns, and nobody has come to an end.",
            "Each takes the other’s reservation away, and could go on like this for ever. Let one of them run "
            "alone: it ends. That is obstruction-free, and less than lock-free.",
        )
    left = [one.node for one in moment.nodes if one.next is not None]
    if not left:
        return _all_ended(state)
    asleep = [node for node in left if node in state.asleep]
    if len(asleep) == len(left):
        awake = "the others have finished" if moment.ended else "nobody goes on"
        return (
            "good" if moment.ended else "none",
            f"{names(asleep).capitalize()} {'sleeps' if len(asleep) == 1 else 'sleep'}, and {awake}.",
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
    holder = state.position.lock
    rest = "It asks again and again, and nobody writes."
    if holder is not None:
        asleep = holder in state.asleep
        rest = (
            f"Pusher {holder + 1} has the lock{' and sleeps' if asleep else ''}. "
            f"{'As long as it sleeps' if asleep else 'Until it takes its steps'}, nobody else makes progress."
        )
        if any(move.node == holder for move in state.position.deaths):
            rest = f"The incarnation of pusher {holder + 1} that took the lock is dead: nobody will ever release it."
    return "bad", f"Pusher {one.node + 1} spins.", rest


def _all_ended(state):
    moment = state.position
    count = sum(cell.value is not None for cell in moment.cells)
    rest = f"{plural(count, 'value')}, each there once."
    if state.chosen["queue"] != "reserving":
        _, hint = moment.hint
        lag = moment.full - hint
        rest += (
            f" The hint says {hint}, where the next empty cell is."
            if not lag
            else f" The hint says {hint} and lags by {plural(lag, 'cell')}: the next pusher walks, and moves it."
        )
    return "good", "All have ended.", rest


def _under_way(state):
    moment = state.position
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
            f"{names(one.of)} filled without getting that far.",
        )
    move = moment.moves[-1]
    if move.kind == CRASH:
        return "none", f"Pusher {move.node + 1} died.", NEXT_LIFE[state.chosen["queue"]]
    if move.reply == "refused" or move.effect == "refused":
        return (
            "none",
            f"Pusher {move.node + 1} was refused.",
            "Another one was faster, so somebody got on: that is what lock-free means. It goes on from there."
            if state.chosen["queue"] != "reserving"
            else "Another one has taken its reservation away. It begins again.",
        )
    head = f"Pusher {move.node + 1}: {_told(move)}."
    _, hint = moment.hint
    if state.chosen["queue"] != "reserving" and moment.full > hint:
        lag = plural(moment.full - hint, "cell")
        return "none", head, f"The hint says {hint} and lags by {lag}; it never says too much."
    return "none", head, ""


def _told(move):
    """Describe a step and its result: "write 1a into cell 0, if its version is 0: done"."""
    return f"{told(move.text)}: {progress(move.reply or 'nothing came back')}"


def names(nodes):
    return " and ".join(f"pusher {node + 1}" for node in nodes)


def cells_html(position):
    """Return the queue: a box for each cell, above it the pushers that ask it next, and the hint below."""
    count = max(LEAST_CELLS, len(position.cells) + 1, sum(map(len, position.pushed.values())) + 1)
    looks = {node: [] for node in range(count)}
    for one in position.nodes:
        index = index_in(QUEUE, register_in(one.part) or "")
        if index is not None and index < count:
            looks[index].append(one.node)
    prepared = {place[1]: node for node, place in position.places.items() if place[1] is not None}
    _, hint = position.hint
    last = position.moves[-1] if position.moves else None
    boxes = [_box(position, index, looks[index], prepared.get(index), last) for index in range(count)]
    version = position.hint[0]
    shown = position.chosen["queue"] != "reserving"
    mark = (
        f'<p class="eo-queue-stepper-hint" style="--at:{min(hint, count - 1)}"><span '
        'aria-hidden="true">▲</span> the hint says '
        f"<b>{hint}</b> <small>version {version}</small></p>"
        if shown
        else '<p class="eo-queue-stepper-hint" style="--at:0">There is no hint: each begins at cell 0.</p>'
    )
    return f'<ol class="eo-queue" aria-label="Cells of the queue">{"".join(boxes)}</ol>{mark}'


def _box(moment, index, looks, prepared, last):
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


def registers_html(position):
    """Return all written registers as a table."""
    rows = [
        [escape(named(name)), version, escape(_value(name, value)), f"{who(node)} {node + 1}"]
        for name, (version, value, node) in sorted(position.registers.items(), key=_order)
    ]
    return table("Registers", ("register", "version", "holds", "by"), rows)


def _value(name, value):
    if name.startswith("place"):
        done, index = value
        return f"{done} done" + (f", next into cell {index}" if index is not None else "")
    return str(value)


def _order(item):
    index = index_in(QUEUE, item[0])
    return (1, index, "") if index is not None else (0, 0, item[0])
