"""The moves of a way in words: the actor, the action, the part of a store, and the reply."""

from dataclasses import dataclass

from ...explore.bounds import SPENDS
from ...show.diagrams.table import part_title
from ...show.steps import WRITES
from ...simulate.decision import (
    ARRIVAL,
    CRASH,
    DUPLICATE,
    LATE_DUPLICATE,
    LATE_REQUEST,
    LOST_REPLY,
    LOST_REQUEST,
    OPTION,
    PAUSE,
    STEP_AND_CRASH,
)
from ...trace import life_name

WORDS = {  # of a kind: its sign, the fault that may be chosen, what came of it
    CRASH: ("✖", "crash", "crashes"),
    STEP_AND_CRASH: ("✖", "step, then crash", "then crashes"),
    PAUSE: ("❚❚", "pause", "falls asleep"),
    LOST_REQUEST: ("⇥", "lose request", "request lost"),
    LOST_REPLY: ("↶", "lose reply", "reply lost"),
    DUPLICATE: ("⧉", "send it twice", "came twice"),
    LATE_REQUEST: ("◷", "delay request", "is late"),
    LATE_DUPLICATE: ("◷", "delay a copy", "copy is late"),
}
SIGNS, FAULTS, CAME = ({kind: words[place] for kind, words in WORDS.items()} for place in range(3))
CAME[ARRIVAL] = "arrives late"
UNSENT = (CRASH, PAUSE, LOST_REQUEST, LATE_REQUEST)  # whose request does not come to a store at once
FIRST_OF = {SPENDS[kind]: kind for kind in reversed(WORDS)}  # the fault that stands for those that cost the same


@dataclass(frozen=True)
class Made:
    """One move that was made. `node` counts from 0, `life` is the incarnation of the step; `part` is the asked part,
    or None.

    `kind` is the kind of its decision, `text` the step, `effect` the part's new content (None for a move that writes
    nothing) and `reply` the answer (None for a move without an answer); `line` is the handler's line.
    """

    number: int
    node: int
    life: int
    actor: int
    kind: str
    text: str
    part: str | None
    effect: str | None
    reply: str | None
    line: int | None
    item: int | None

    @property
    def is_fault(self):
        """True when the move was a fault."""
        return self.kind in SPENDS

    @property
    def writes(self):
        """True when the move changed a part of a store."""
        return self.effect is not None


def made(replay):
    """Return the `Made` moves of a `Replay`."""
    by_step, nodes = {}, {}
    for event in replay.run.trace:
        by_step.setdefault((event.life, event.step), []).append(event)
        if event.verb == "start":
            nodes[event.life] = event.detail.get("node", 0)
    arrived = {step for decision, step in zip(replay.schedule, replay.steps, strict=True) if decision.kind == ARRIVAL}
    decisions = zip(replay.schedule, replay.steps, replay.texts, strict=True)
    return [
        _made(number, decision, step, text, by_step.get(tuple(step), ()), nodes, tuple(step) in arrived)
        for number, (decision, step, text) in enumerate(decisions, 1)
    ]


def _made(number, decision, step, text, events, nodes, arrives):
    life = step[0]
    own = [event for event in events if event.process == life_name(life)]
    there = [event for event in events if part_title(event.process) and event.kind == "receive"]
    late = [event for event in there if (event.message or "").endswith("again")] or there
    if decision.kind == ARRIVAL:
        there = late
    elif arrives:
        there = [] if decision.kind == LATE_REQUEST else [event for event in there if event not in late]
    elif decision.kind in UNSENT:
        there = []
    part = next((event.detail["part"] for event in own if "part" in event.detail), None)
    part = part or next((event.process for event in there), None)
    effect = there[-1].text if there and there[-1].verb in WRITES else None
    reply = next((event.text for event in own if event.verb == "reply"), None)
    if decision.kind in (*UNSENT, LOST_REPLY, ARRIVAL):
        reply = None
    first = next((event for event in own if event.verb != "start"), None)
    line, item = (first.line, first.item) if first else (None, None)
    if decision.kind == OPTION and first is not None and part is None:
        text = first.text
    actor, kind = decision.actor, decision.kind
    return Made(number, nodes.get(life, 0), life, actor, kind, text, part, effect, reply, line, item)
