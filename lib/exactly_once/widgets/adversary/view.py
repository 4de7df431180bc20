"""The adversary on the screen, as fragments of HTML: the result, the possible moves, code, stores, and the way."""

import re
from collections import Counter
from html import escape

from ...explore.bounds import SPENDS
from ...explore.play import told
from ...explore.search.outlook import BROKEN, FAULT, OPEN
from ...show.base.tape import Cell, cells_html
from ...show.steps.steps import Steps
from ...show.verdicts.code import listing, source_lines
from ...simulate.decision import ARRIVAL, CRASH, OPTION, PAUSE, STEP, Decision
from ...stores.codec import describe
from ..base.controls import banner, button, row
from ..base.nodes import plural, who
from ..player.moves import FAULTS, FIRST_OF, SIGNS, made
from ..player.view import act, panel, panels, way_tools
from .diagram import Strip

GOAL = {
    "ideal": "reach an outcome that no crash-free run of one node leaves.",
    "fault free": "reach an outcome that no run without faults leaves.",
    "invariant": "reach a moment at which the invariant does not hold.",
}
LETTERS = ("qwertyiop", "asdfghjkl", "zxcvbnm,.")  # a row of the keyboard for each node; u undoes
NOT_NOW = "Not possible now"
NEXT = "eo-player-next-line"  # the class of a line at which a node stands
NEXT_WORD = '<small class="eo-next-word">next</small>'
LEFT = {"crashes": "crash", "pauses": "pause", "lost_requests": "lost request", "lost_replies": "lost reply",
        "duplicates": "duplicate", "late_requests": "late request"}  # fmt: skip


def fragments(model, width):
    """Return {trait: HTML} from the state of an `AdversaryModel`, for a width of the diagram in pixels."""
    found = {"head": head_html(model), "says": says_html(model)}
    if model.state.position is None:
        return found | dict.fromkeys(("tools", "nodes", "network", "stores", "way"), "")
    nodes, network = nodes_html(model)
    way = Strip(model.state, model.nodes, width).html()
    return found | {
        "tools": tools_html(model), "nodes": nodes, "network": network, "stores": stores_html(model), "way": way
    }  # fmt: skip


def head_html(model):
    """Return the goal and its bounds."""
    goal = "invariant" if "invariant" in model.rules else "ideal"
    if len({*model.plain_handlers}) > 1 and not model.rules:
        goal = "fault free"
    names = dict.fromkeys(getattr(one, "__name__", "handler") for one in model.plain_handlers)
    counts = [plural(model.bounds.nodes, "node")]
    if model.job is not None:
        counts.append(f"{plural(model.bounds.items, 'hour')} of input")
    return (
        f"<p><b>Break it:</b> {GOAL[goal]}</p>"
        f'<p class="eo-dim"><code>{escape(", ".join(names))}</code> · {" · ".join(counts)}</p>'
    )


def says_html(model):
    """Return the result of the way in one or two sentences, beside its cost."""
    state = model.state
    if state.position is None:
        return banner("none", "" if state.error else "The handler is looked at …")
    return banner(*_verdict(model, state), _comparison(state))


def _verdict(model, state):
    """Return (the kind of banner, its HTML)."""
    position, moves = state.position, made(state.position.replay)
    owned = _owned_up(state) if state.asked else ""
    if position.outlook == BROKEN:
        after = f"after {plural(state.broken_at, 'move')} and {plural(state.cost.faults, 'fault')}"
        title = f"✗ Broken {after if state.broken_at else 'before the first move'}."
        return "bad", f"<strong>{title}</strong> {_why(state, moves)}{_enough(state)}"
    if position.ended and position.outlook == OPEN:
        more = " A sleeper may still wake up." if any(one.asleep for one in position.replay.pending) else ""
        breaks = state.proof is not None and state.proof.counterexample is not None
        word = owned or "Undo, or begin anew." + " It can be broken." * breaks
        return (
            "good",
            "<strong>✓ This way did not break it.</strong> All nodes have ended, and all is as it should be."
            f"{more} {word}",
        )
    if position.outlook == FAULT:
        return "warn", (
            f"<strong>! Only a fault can still save it.</strong> If nothing more goes wrong, every way to go on ends "
            f"wrong: {_small(position.sentence)} {owned}"
        )
    if position.outlook == OPEN:
        if owned:
            return "good", owned
        hint = "Choose who takes the next step, or what goes wrong." if not state.at else "It can still end well."
        return "none", f"<strong>Not broken{' yet' if state.at else ''}.</strong> {hint} You are the scheduler."
    return "none", "<strong>Not broken yet.</strong> Whether it can still end well was not found out in time."


def _small(sentence):
    """Return a sentence for a place after a comma: its first clause, with the whole sentence under the pointer."""
    first, more, _ = sentence.removeprefix("Not exactly once: ").partition("; ")
    said = escape(first[:1].lower() + first[1:] if first[1:2].islower() else first)
    return f'<span title="{escape(sentence)}">{said}, and more.</span>' if more else said


def _why(state, moves):
    """Describe the flaw, and the move that decided it."""
    number, outlooks = state.broken_at, state.outlooks
    if not number:
        return f"No schedule ends right: {_small(state.position.sentence)}"
    last = moves[number - 1]
    pushed = [move for move in moves[:number] if move.part == last.part and move.writes and last.part == "output"]
    if last.writes and last.item and sum(move.item == last.item for move in pushed) > 1:
        said = f"Hour {last.item} is in the output twice, and nothing can take it back."
    else:
        said = (
            f"After move {number} no way to go on ends right, whatever happens; if nothing more goes wrong, "
            f"{_small(state.position.sentence)}"
        )
    turned = state.turned_at
    if not turned or outlooks[turned:number] != (FAULT,) * (number - turned):
        return said
    move = moves[turned - 1]
    return (
        f"{said} From move {turned} on ({who(move.node)} node {move.node + 1}: {escape(move.text)}) only a fault "
        "could have saved it."
    )


def _enough(state):
    """Return by how much the simplest schedule is simpler."""
    if not state.simplest or state.own or state.cost is None:
        return ""
    _, best = state.simplest
    words = ("fault", "switch", "step")
    mine = ", ".join(plural(number, word) for number, word in zip(state.cost, words, strict=True))
    if state.cost <= best:
        return f" {mine}: no schedule is simpler."
    enough = f"{best.faults}, {best.switches} and {best.steps}"
    if all(less <= more for less, more in zip(best, state.cost, strict=True)):
        return f" {mine}; {enough} are enough."
    fewer = "faults" if best.faults < state.cost.faults else "switches"
    return f" {mine}; with fewer {fewer}: {enough}."


def _owned_up(state):
    """Return the words of `prove` where it found nothing, or an empty text."""
    proof = state.proof
    if proof is None or proof.counterexample is not None:
        return ""
    if proof.ok:
        return (
            f"<strong>Nobody can break it within these bounds:</strong> {proof.states:,} states were searched "
            f"({escape(str(proof.bounds))})."
        )
    searched = f"{proof.states:,} states were searched"
    return f"<code>prove</code> found nothing so far, but {escape(proof.stopped)}: {searched}."


def _comparison(state):
    """Return the table of the costs of this way and of the simplest way."""
    broken, more = state.position.outlook == BROKEN, ""
    rows = {"Shown" if state.own else "You": state.cost if broken else state.position.cost}
    if state.simplest and (state.asked or broken):
        rows["Simplest"] = state.simplest[1]
    elif state.proving:
        more = (
            f'<tr><td colspan="4" class="eo-dim">prove searches: {state.states:,} states '
            '<button type="button" class="eo-link" data-do="stop_proof" data-key="stop_proof">stop</button></td></tr>'
        )
    head = "".join(f'<th scope="col">{word}</th>' for word in ("faults", "switches", "moves"))
    body = "".join(
        f'<tr><th scope="row">{name}</th>{"".join(f"<td>{number}</td>" for number in cost)}</tr>'
        for name, cost in rows.items()
    )
    return f'<table class="eo-took"><thead><tr><td></td>{head}</tr></thead><tbody>{body}{more}</tbody></table>'


def tools_html(model):
    """Return the buttons about the way as a whole, and its token."""
    state = model.state
    broken = state.position.outlook == BROKEN
    if state.proof is not None and state.proof.counterexample is None:
        show = button("eo-can-it-break", "ask", "Can it be broken?", state.asked)
    else:
        show = button("eo-simplest", "simplest", "Show me the simplest", not state.simplest, primary=broken)
    if state.own:
        show = button("eo-own", "own", "Back to my way", primary=True)
    over = not state.position.open or state.position.ended
    return show + way_tools(
        model, not state.at, not state.way, button("eo-run-out", "run_out", "▶▶ Let it end", over)
    )


class Keys:
    """The keys of the moves. A node's own keys are fixed for the whole game: one for its step, one for each fault.

    Moves that appear and disappear (more options, late requests, sleeping incarnations) have number keys, in order.
    """

    def __init__(self, left):
        self.kinds = [kind for kind in FAULTS if SPENDS[kind] in left]
        self.next, self.taken = 0, set()

    def of(self, node, kind):
        """Return the fixed key of a kind of move at a node, or None where there are no letters left."""
        place = 1 + self.kinds.index(kind) if kind in self.kinds else 0
        return LETTERS[node][place] if node < len(LETTERS) and place < len(LETTERS[node]) else None

    def move(self, decision, css, title, says="", node=None):
        """Return the button of a move; `node` is given for a move of the node's own incarnation."""
        key = None if node is None else self.of(node, decision.kind)
        if key is None or key in self.taken:
            self.next += 1
            key = str(self.next) if self.next <= 9 else ""
        return self._button(decision, css, title, says or title, key)

    def impossible(self, node, kind):
        """Return the button of a fault that cannot be struck at a node now."""
        key = self.of(node, kind) or ""
        return self._button(Decision(node, kind, 0), "strike", f"{SIGNS[kind]} {FAULTS[kind]}", NOT_NOW, key, True)

    def _button(self, decision, css, title, says, key, off=False):
        self.taken.add(key)
        css = f"eo-player-act eo-player-{css}"
        return act(css, "move", told(decision), f"<span>{title}</span>", off=off, key=key, tip=says)


def nodes_html(model):
    """Return the panels of the nodes: the code with the line of each, and its moves; and the late requests."""
    state = model.state
    moves, keys = made(state.position.replay), Keys(state.position.left)
    nodes = panels(_panel(model, state, node, moves, keys) for node in range(model.nodes))
    return nodes, _network(moves, [one for one in state.position.open if one.kind == ARRIVAL], keys)


def _network(moves, late, keys):
    if not late:
        return ""
    sent = [move for move in moves if move.kind in ("l", "w")]
    buttons = "".join(
        keys.move(one, "strike", f"↘ arrives: {who(sent[one.option].node)} {escape(sent[one.option].text)}")
        for one in late
    )
    return f'<p class="eo-h">Late requests</p><div class="eo-player-row" data-arrows>{buttons}</div>'


def _panel(model, state, node, moves, keys):
    position = state.position
    pending = [one for one in position.replay.pending if one.node == node]
    awake = next((one for one in pending if one.actor == node), None)
    asleep = [one for one in pending if one.actor != node]
    handler = model.plain_handlers[node % len(model.handlers)]
    life = max(
        (start.life for start in position.replay.run.trace.lives() if start.detail.get("node") == node), default=0
    )
    rows = _moves(state, awake, node, node, keys)
    rows += "".join(_moves(state, one, node, one.actor, keys) for one in asleep)
    inside = f"{_listing(handler, state, node, life, moves, awake)}{_variables(awake)}{rows}"
    return panel(node, f"Node {node + 1}", f' <small class="eo-dim">incarnation {life}</small>', inside)


def _moves(state, pending, node, actor, keys):
    """Return the buttons of an actor's possible moves."""
    if pending is None:
        over = "failed by itself" if state.position.replay.run.error else "has ended"
        return f'<p class="eo-player-over">Node {node + 1} {over}.</p>'
    text = pending.event.text
    mine = [one for one in state.position.open if one.actor == actor and one.kind != ARRIVAL]
    steps = [one for one in mine if one.kind in (STEP, OPTION)]
    faults = [one for one in mine if one.kind not in (STEP, OPTION)]
    of = f"☾ incarnation {pending.event.life} wakes: " if pending.asleep else f"incarnation {pending.event.life}: "
    before, own = ("", node) if actor == node else (of, None)
    titles = []
    for one in steps:
        title = f"▶ {before or 'step: '}{text}"
        if one.kind == OPTION:
            choice = pending.options[one.option] if one.option < len(pending.options) else f"option {one.option + 1}"
            title = f"▶ {before or 'choose: '}{choice}"
        elif one.option:
            title = f"▶ {before}receive from node {one.option}"
        titles.append(keys.move(one, "step", escape(title), node=own))
    if not steps:
        titles.append(f'<span class="eo-player-over">waits to {escape(text)}</span>')
    several = len({one.option for one in faults}) > 1
    buttons = {kind: [] for kind in FAULTS}
    for one in faults:
        of = f" (of node {one.option})" * (several and one.kind not in (CRASH, PAUSE) and one.option > 0)
        title, says = f"{SIGNS[one.kind]} {FAULTS[one.kind]}{of}", f"{FAULTS[one.kind].capitalize()}{of}: {text}"
        buttons[one.kind].append(keys.move(one, "strike", title, says, own))
    for kind in FIRST_OF.values():
        if own is not None and kind in keys.kinds and SPENDS[kind] not in {SPENDS[one.kind] for one in faults}:
            buttons[kind].append(keys.impossible(node, kind))
    found = [html for each in buttons.values() for html in each]
    strikes = row("eo-player-row", f"Faults at node {node + 1}", *found) if found else ""
    return row("eo-player-row", f"Steps of node {node + 1}", *titles) + strikes


def _variables(pending):
    if pending is None or not pending.variables:
        return '<p class="eo-variables">&nbsp;</p>'
    said = " ".join(f"<code>{escape(name)}</code> <span>{escape(value)}</span>" for name, value in pending.variables)
    plain = ", ".join(f"{name}: {value}" for name, value in pending.variables)
    return f'<p class="eo-variables" title="{escape(plain)}">{said}</p>'


def _listing(handler, state, node, life, moves, awake):
    lines = [line for line in source_lines(handler) if not line.text.startswith(("def ", "@"))]
    if not lines:
        return '<p class="eo-dim">The source of this handler cannot be shown.</p>'
    ran = {move.line: move for move in moves if move.node == node and move.line is not None}
    steps = set(ran) | ({awake.event.line} if awake else set())
    bad = moves[state.broken_at - 1] if state.broken_at and state.position.outlook == BROKEN else None
    rows = []
    for line in lines:
        if line.point and line.number not in steps:
            continue  # a crash may strike anywhere here
        move, next_ = ran.get(line.number), awake is not None and awake.event.line == line.number
        kinds = ["eo-quiet"] * (line.number not in steps) + ["eo-earlier"] * (move is not None and move.life != life)
        kinds += ["eo-guilty"] * (bad is not None and bad.node == node and bad.line == line.number)
        kinds += [NEXT] * next_
        gutter = "▶" if next_ else move.number if move else ""
        rows.append((line, " ".join(kinds), gutter, NEXT_WORD * next_))
    return listing(f"Code of node {node + 1}", rows, NEXT if awake else "eo-guilty")


def stores_html(model):
    """Return the contents of the stores, the output as a tape, and the faults that are left."""
    position, moves = model.state.position, made(model.state.position.replay)
    return f"<h3>The stores</h3>{_tape(position, moves)}{_held(position, moves)}{_left(position)}"


def _tape(position, moves):
    pushes, seen, cells = position.replay.run.pushes, Counter(), []
    by_step = dict(zip(position.replay.steps, moves, strict=True))
    newest = moves[-1] if moves and moves[-1].writes and moves[-1].part == "output" else None
    for number, push in enumerate(pushes, 1):
        seen[push.item] += 1
        again = seen[push.item] > 1 and push.item is not None
        move = by_step.get((push.life, push.step))
        on_time = move is not None and move.kind != ARRIVAL
        kind = "again " * again + "now" * (newest is not None and number == len(pushes))
        hour = "\N{NO-BREAK SPACE}" if push.item is None else f"hour {push.item}"
        marks = [f"✗ {('twice', '3 times')[min(seen[push.item], 3) - 2]}"] if again else ()
        under = "" if again else f"{who(move.node)} move {move.number}" if on_time else "late"
        cells.append(Cell(describe(push.value), hour, marks, kind, under=under))
    found = (
        cells_html(cells, "Output log", more='tabindex="0" data-follow')
        if cells
        else '<p class="eo-cells eo-dim eo-adversary-empty">nothing yet</p>'
    )
    wanted = ""
    if position.ideals:
        first = "".join(f"<li>{escape(describe(value))}</li>" for value in position.ideals[0])
        more = f' <span class="eo-dim">or {len(position.ideals) - 1} more</span>' if len(position.ideals) > 1 else ""
        wanted = (
            f'<p class="eo-wanted"><span class="eo-h">One node, crash-free</span></p>'
            f'<ol class="eo-adversary-right" aria-label="The right output">{first or "<li>nothing</li>"}</ol>{more}'
        )
    return f'<p class="eo-h">Output log, append-only</p>{found}{wanted}'


def _held(position, moves):
    steps = Steps(position.replay.run, position.replay.schedule, position.replay.steps)
    if not len(steps):
        return ""
    wrote = {move.part: move for move in moves if move.writes}
    rows = []
    known = {held.part: held for held in steps.stores(len(steps) - 1) if held.part != "output"}
    usual = {"state": "never saved", "positions": "never saved", "counter": "0"}
    if (
        ("output" not in known and any(move.part == "output" for move in moves))
        or not known
        or set(known) <= set(usual)
    ):
        known = {part: known.get(part) for part in usual}
    for part, held in known.items():
        move = wrote.get(part)
        text = held.text if held is not None else usual[part]
        text = move.effect if move and part == "positions" else re.sub(r", \d+ readings", "", text)
        text = usual[part] if part in usual and move is None and not (held and held.writes) else text
        by = f" · {who(move.node)} move {move.number}" if move else ""
        now = ' <b class="eo-adversary-new">◂ now</b>' if move and move.number == len(moves) else ""
        title = held.title if held is not None else part
        rows.append(
            f'<tr><th scope="row">{escape(title)}</th>'
            f'<td>{escape(text)}<span class="eo-dim">{by}</span>{now}</td></tr>'
        )
    return f'<table class="eo-adversary-holds">{"".join(rows)}</table>'


def _left(position):
    if not position.left:
        return '<p class="eo-h">Faults left: none, there are none to strike</p>'
    chips = "".join(
        f'<span class="eo-adversary-left{"" if number else " eo-spent"}"><i>{SIGNS[FIRST_OF[kind]]}</i> {LEFT[kind]}'
        f"{'' if number == 1 else f' × {number}'}</span>"
        for kind, number in position.left.items()
    )
    return f'<p class="eo-h">Faults left</p><div class="eo-lefts">{chips}</div>'
