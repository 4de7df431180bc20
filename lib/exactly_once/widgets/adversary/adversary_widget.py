"""The adversary on the player's page: the code of each node with the line at which it stands, what is left, and how
the run can end, with a goal.
"""

from collections import Counter
from collections.abc import Callable
from html import escape
from typing import Any

from ...adversary.outlook import BROKEN, FAULT, OPEN
from ...adversary.play import told
from ...errors import plural, whole
from ...explore.case import bounded
from ...show.base.picture import Cell, cells_html
from ...show.verdicts.code import listing, source_lines
from ...simulate.schedule import ARRIVAL, LATE, OPTION, SPENDS, STEP, WITH_CRASH
from ...stores.codec import describe
from ..base.controls import button, who
from ..player.player_widget import PlayerWidget, says_html, stores_table, way_tools
from ..player.player_widget import fragments as of_player
from ..player.scene import FAULTS, FIRST_OF, SIGNS, Scene
from .adversary_model import AdversaryModel

SEARCHES = '<small class="eo-dim">prove searches …</small>'
GOAL = {
    "ideal": "reach an outcome that no crash-free run of one node leaves.",
    "fault free": "reach an outcome that no run without faults leaves.",
    "invariant": "reach a moment at which the invariant does not hold.",
}
OUTLOOKS = {
    OPEN: ("good", "… can still end well"),
    FAULT: ("warn", "! only a fault can still save it"),
    BROKEN: ("bad", "✗ broken"),
    "": ("none", "? not known"),
}
NEXT = "eo-player-next-line"  # the class of a line at which a node stands
NEXT_WORD = '<small class="eo-next-word">next</small>'
LEFT = {"crashes": "crash", "pauses": "pause", "lost_requests": "lost request", "lost_replies": "lost reply",
        "duplicates": "duplicate", "late_requests": "late request"}  # fmt: skip


class Game(Scene):
    """The nodes of a `Case`, which the learner is to break; `rules` are the `invariant` and the `reference`.

    Its positions are the model's `Looked`.
    """

    name, what = "eo-adversary", "The adversary"
    most_steps, most_faults, runs = 1000, 99, False

    def __init__(self, case: Any, rules: dict[Any, Any]) -> None:
        self.case, self.job, self.rules = case, case.job, rules
        self.strikes = [kind for kind in SPENDS if getattr(case.bounds, SPENDS[kind])]

    def programs(self, chosen):
        """Return the handlers: one for all nodes, or one for each."""
        return self.case.handlers

    @property
    def plain(self) -> list[Callable[..., Any]]:
        """The functions of the nodes, without the programs around them."""
        return [getattr(one, "handler", one) for one in self.case.handlers]

    def goal(self) -> str:
        """Return what is to be reached, and within which bounds, as HTML."""
        goal = "invariant" if "invariant" in self.rules else "ideal"
        if len({*self.plain}) > 1 and not self.rules:
            goal = "fault free"
        names = dict.fromkeys(getattr(one, "__name__", "handler") for one in self.plain)
        counts = [plural(self.case.bounds.nodes, "node")]
        if self.job is not None:
            counts.append(f"{plural(self.case.bounds.items, 'hour')} of input")
        return (
            f"<p><b>Break it:</b> {GOAL[goal]}</p>"
            f'<p class="eo-dim"><code>{escape(", ".join(names))}</code> · {" · ".join(counts)}</p>'
        )

    def verdict(self, state: Any) -> tuple[str, str, str]:
        """Return the result of the way so far."""
        look = state.position.look
        owned = _owned_up(state) if state.asked else ()
        if look.outlook == BROKEN:
            when = "before the first move"
            if state.broken_at:
                when = f"after {plural(state.broken_at, 'move')} and {plural(state.cost.faults, 'fault')}"
            return "bad", f"Broken {when}.", f"{_why(state)}{_enough(state)}"
        if look.ended and look.outlook == OPEN:
            more = " A sleeper may still wake up." if any(one.asleep for one in look.replay.pending) else ""
            breaks = state.proof is not None and state.proof.counterexample is not None
            word = " ".join(owned) or "Undo, or begin anew." + " It can be broken." * breaks
            rest = f"All nodes have ended, and all is as it should be.{more} {word}"
            return "good", "This way did not break it.", rest
        if look.outlook == FAULT:
            rest = f"If nothing more goes wrong, every way to go on ends wrong: {_small(look.sentence)}"
            return "warn", "Only a fault can still save it.", " ".join((rest, *owned))
        if look.outlook == OPEN:
            if owned:
                return "good", *owned
            hint = "It can still end well." if state.at else "Choose who takes the next step, or what goes wrong."
            return "none", f"Not broken{' yet' if state.at else ''}.", f"{hint} You are the scheduler."
        return "none", "Not broken yet.", "Whether it can still end well was not found out in time."

    def offers(self, position: Any, node: Any) -> dict[str, bool]:
        """Return {kind of fault: whether it can strike the node's next step}."""
        can = {one.kind for one in position.look.open if one.actor == node}
        kinds = [kind for kind in self.strikes if kind in can or kind in FIRST_OF.values()]
        return {kind: kind in can for kind in kinds}

    def more(self, state, node):
        """Yield a button for each other move: late requests, senders, faults of sleepers."""
        look = state.position.look
        sent = [move for move in state.position.moves if move.kind in LATE]
        for one in look.open:
            if one.kind == ARRIVAL:
                of, title = sent[one.option].node, f"↘ arrives: {sent[one.option].text}"
            elif one.kind == OPTION or one == (one.actor, STEP, 0):
                continue  # the player's own buttons
            elif one.actor == node and not one.option and one.kind not in WITH_CRASH:
                continue
            else:
                of = next(each.node for each in look.replay.pending if each.actor == one.actor)
                title = f"{SIGNS[one.kind]} {FAULTS[one.kind].capitalize()}" if one.kind in FAULTS else "▶ receive"
                title = f"☾ {title}" if one.actor != of else f"{title}{f' from node {one.option}' * bool(one.option)}"
            if of == node:
                yield button(f"eo-move-{told(one)}", "move", title, value=told(one))

    def remark(self, state: Any, number: int) -> str:
        """Return how it can end after a step, where that is another end than before it."""
        before, after = state.position.look.outlooks[number - 1 : number + 1]
        if before == after and number > 1:
            return ""
        kind, said = OUTLOOKS[after]
        return f' <b class="eo-outlook eo-outlook-{kind}">{said}</b>'

    def pane(self, state: Any, node: Any) -> str:
        """Return the code of a node: its next line, the numbers of the moves beside the lines, its variables."""
        position = state.position
        lines = [line for line in source_lines(self.plain[node % len(self.plain)])
                 if not line.text.startswith(("def ", "@"))]  # fmt: skip
        if not lines:
            return '<p class="eo-dim">The source of this handler cannot be shown.</p>'
        awake = next((one for one in position.replay.pending if one.actor == node), None)
        ran = {move.line: move for move in position.moves if move.node == node and move.line is not None}
        at = awake.event.line if awake else None
        bad = position.moves[state.broken_at - 1] if state.broken_at else None
        rows = []
        for line in lines:
            move, here = ran.get(line.number), line.number == at
            if line.point and move is None and not here:
                continue  # a crash may strike anywhere here
            kinds = ["eo-quiet"] * (move is None and not here) + [NEXT] * here
            kinds += ["eo-guilty"] * (bad is not None and (bad.node, bad.line) == (node, line.number))
            rows.append((line, " ".join(kinds), "▶" if here else move.number if move else "", NEXT_WORD * here))
        return listing(f"Code of node {node + 1}", rows, NEXT if awake else "eo-guilty") + _variables(awake)

    def table(self, position: Any) -> str:
        """Return the output as a tape, what the stores hold, and the faults that are left."""
        left = " · ".join(
            f"{SIGNS[FIRST_OF[kind]]} {LEFT[kind]}{'' if number == 1 else f' × {number}'}"
            for kind, number in position.look.left.items()
        )
        said = left or "none, there are none to strike"
        return f'{_tape(position)}{stores_table(position.replay)}<p class="eo-left"><b>Faults left:</b> {said}</p>'


def _small(sentence: str) -> str:
    """Return a sentence for a place after a comma: its first clause."""
    first, more, _ = sentence.removeprefix("Not exactly once: ").partition("; ")
    said = first[:1].lower() + first[1:] if first[1:2].islower() else first
    return f"{said}, and more." if more else said


def _why(state: Any) -> str:
    """Describe the flaw, and the move that decided it."""
    look, moves, number = state.position.look, state.position.moves, state.broken_at
    if not number:
        return f"No schedule ends right: {_small(look.sentence)}"
    last = moves[number - 1]
    pushed = [move.item for move in moves[:number] if move.part == "output" and move.effect is not None]
    if last.part == "output" and last.effect is not None and last.item and pushed.count(last.item) > 1:
        said = f"Hour {last.item} is in the output twice, and nothing can take it back."
    else:
        said = f"After move {number} no way to go on ends right, whatever happens; if nothing more goes wrong, "
        said += _small(look.sentence)
    turned = state.turned_at
    if not turned or look.outlooks[turned:number] != (FAULT,) * (number - turned):
        return said
    move = moves[turned - 1]
    return f"{said} From move {turned} on (node {move.node + 1}: {move.text}) only a fault could have saved it."


def _enough(state: Any) -> str:
    """Return by how much the simplest schedule is simpler."""
    if not state.simplest or state.own:
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


def _owned_up(state: Any) -> tuple[Any, ...]:
    """Return the words of `prove` where it found nothing, as (first sentence, rest); else nothing."""
    proof = state.proof
    if proof is None or proof.counterexample is not None:
        return ()
    searched = f"{proof.states:,} states were searched"
    if proof.ok:
        return "Nobody can break it within these bounds:", f"{searched} ({proof.bounds})."
    return "prove found nothing so far,", f"but {proof.stopped}: {searched}."


def _variables(pending: Any) -> str:
    held = pending.variables if pending else ()
    said = " ".join(f"<code>{escape(name)}</code> <span>{escape(value)}</span>" for name, value in held)
    return f'<p class="eo-variables">{said or "&nbsp;"}</p>'


def _tape(position):
    """Return the output as a tape, with what is there again, and the right output."""
    run, seen, cells = position.replay.run, Counter(), []
    by_step = dict(zip(position.replay.steps, position.moves, strict=True))
    for push in run.pushes:
        seen[push.item] += 1
        again = seen[push.item] > 1 and push.item is not None
        marks = [f"✗ {'twice' if seen[push.item] == 2 else '3 times'}"] if again else ()
        move = by_step.get((push.life, push.step))
        on_time = move is not None and move.kind != ARRIVAL
        under = "" if again else f"{who(move.node)} move {move.number}" if on_time else "late"
        hour = "\N{NO-BREAK SPACE}" if push.item is None else f"hour {push.item}"
        cells.append(Cell(describe(push.value), hour, marks, "again" * again, under=under))
    tape = cells_html(cells, "Output log", more='tabindex="0" data-follow')
    wanted, ideals = "", position.look.ideals
    if ideals:
        more = f" or {len(ideals) - 1} more" if len(ideals) > 1 else ""
        right = ", ".join(map(describe, ideals[0])) or "nothing"
        wanted = f'<p class="eo-wanted"><b>One node, crash-free:</b> {escape(right)}{more}</p>'
    held = tape if cells else '<p class="eo-cells eo-dim">nothing yet</p>'
    return f'<p class="eo-h">Output log, append-only</p>{held}{wanted}'


def fragments(model: AdversaryModel, _width: int | None = None) -> dict[str, str]:
    """Return {trait: HTML} from the state of an `AdversaryModel`."""
    says = says_html(*model.verdict, SEARCHES * model.state.proving)
    return of_player(model) | {"choices": model.scene.goal(), "tools": tools_html(model), "says": says}


def tools_html(model: AdversaryModel) -> str:
    """Return the buttons about the way as a whole, and its token."""
    state, look = model.state, model.state.position.look
    if state.proof is not None and state.proof.counterexample is None:
        show = button("eo-can-it-break", "ask", "Can it be broken?", state.asked)
    else:
        broken = look.outlook == BROKEN
        show = button("eo-simplest", "simplest", "Show me the simplest", not state.simplest, primary=broken)
    if state.own:
        show = button("eo-own", "own", "Back to my way", primary=True)
    over = button("eo-run-out", "all", "▶▶ Let it end", not look.open or look.ended)
    return show + way_tools(model, not state.at, not state.way, over)


class Adversary(PlayerWidget, view=fragments):
    """The adversary. `model` is its `AdversaryModel`; `opened` is the debugger, once it was asked for."""


def adversary(
    handler: Any,
    nodes: Any = None,
    items: int = 2,
    *,
    crashes: int = 1,
    pauses: int = 0,
    lost_requests: int = 0,
    lost_replies: int = 1,
    duplicates: int = 0,
    late_requests: int = 0,
    job: Any = None,
    invariant: Callable[..., Any] | None = None,
    reference: Any = None,
) -> Adversary:
    """Return the adversary: the learner is the scheduler of a handler, and tries to break it.

    handler: a function of the node, or a `Program`; or a list with one for each node.
    nodes: the number of nodes, 2 unless it or a list is given; items: the number of hours of input.
    crashes, pauses, lost_requests, lost_replies, duplicates, late_requests: the largest number of each fault.
    job: the `Job`, or another source, in place of the default job of `items` hours.
    invariant, reference: the definition of right, as in `prove`.
    Raises `BadInput` for a handler that cannot be called with one argument, and for bounds that make no sense;
    `CourseError` for a handler that fails or hangs without any fault.
    """
    faults = {"crashes": crashes, "pauses": pauses, "lost_requests": lost_requests, "lost_replies": lost_replies,
              "duplicates": duplicates, "late_requests": late_requests}  # fmt: skip
    nodes = len(handler) if nodes is None and isinstance(handler, (list, tuple)) else 2 if nodes is None else nodes
    whole("the number of nodes", nodes, least=1)
    rules = {name: rule for name, rule in (("invariant", invariant), ("reference", reference)) if rule}
    model = AdversaryModel(Game(bounded(handler, nodes, items, job, faults), rules))
    return Adversary(model, "eo-adversary", "adversary/adversary.css")
