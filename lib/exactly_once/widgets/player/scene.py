"""What a chapter gives to the player: its choices, its programs, the picture of a position, the verdict, stories.

The player has all else: step, run, sleep, kill, run all, undo, redo, go to a step, start again, the token and the way
back from it, *Open in the debugger*, a panel for each node, the steps taken, the stores' contents, keys and errors.
The page docs/how-to-write-a-scene.md writes one from nothing. A position has the moves of its way in words: the
actor, the action, the part of a store, and the reply.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from ...errors import what_failed
from ...node.node import Handler
from ...pipeline import Job
from ...show.diagrams.excerpt import part_title
from ...show.steps import WRITES
from ...simulate.replay import Pending, Replay
from ...simulate.schedule import (
    ARRIVAL,
    CRASH,
    DUPLICATE,
    LATE,
    LATE_DUPLICATE,
    LATE_REQUEST,
    LATE_REQUEST_AND_CRASH,
    LOST_REPLY,
    LOST_REQUEST,
    OPTION,
    PAUSE,
    SPENDS,
    STEP_AND_CRASH,
    WITH_CRASH,
    spent,
)
from ...trace import life_name
from ...verdict.view import View

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
for _kind, _fault in WITH_CRASH.items():
    SIGNS[_kind] = f"{SIGNS[_fault]}{SIGNS[CRASH]}"
    FAULTS[_kind], CAME[_kind] = f"{FAULTS[_fault]}, then crash", f"{CAME[_fault]}, then crashes"
# Whose request does not come to a store at once.
UNSENT = (CRASH, PAUSE, LOST_REQUEST, LATE_REQUEST, LATE_REQUEST_AND_CRASH)
FIRST_OF = {SPENDS[kind]: kind for kind in reversed(WORDS)}  # the fault that stands for those that cost the same


@dataclass(frozen=True)
class Made:
    """One move that was made. `node` counts from 0; `part` is the asked part, or None.

    `kind` is the kind of its decision, `text` the step, `effect` the part's new content (None for a move that writes
    nothing) and `reply` the answer (None for a move without an answer); `line` is the handler's line.
    """

    number: int
    node: int
    actor: int
    kind: str
    text: str
    part: str | None
    effect: str | None
    reply: str | None
    line: int | None
    item: int | None

    @property
    def is_fault(self) -> bool:
        """True when the move was a fault."""
        return bool(spent(self.kind))


def made(replay: Replay) -> list[Any]:
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
        there = [] if not LATE.get(decision.kind) else [event for event in there if event not in late]
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
    return Made(number, nodes.get(life, 0), actor, kind, text, part, effect, reply, line, item)


SPINS = 4  # equal questions with equal answers, without a write, after which a node counts as spinning


class Choice(NamedTuple):
    """A choice on the screen: its title, the titles of its values, the first value (by default the first of them)."""

    title: str
    values: Mapping[Any, str]
    first: Any = None


class Standing(NamedTuple):
    """A node at a position: its number from 0, its incarnation's, its next step (None: it has ended), whether it asks
    the same again and again, whether it has to wait, and the options in words where its next step is a choice.
    """

    node: int
    life: int
    next: str | None
    spins: bool = False
    waits: bool = False
    options: tuple[str, ...] = ()


@dataclass
class Position:
    """Where a run is after its schedule: `replay` is the run up to there, `view` what an invariant sees there."""

    replay: Replay
    view: View
    moves: list[Made] = field(init=False)

    def __post_init__(self) -> None:
        self.moves = made(self.replay)

    @cached_property
    def node_of(self) -> dict[int, int]:
        """{life: node}."""
        return {start.life: start.detail.get("node", 0) for start in self.replay.run.trace.lives()}

    @cached_property
    def nodes(self) -> list[Standing]:
        """The nodes, in order."""
        pending = {one.node: one for one in self.replay.pending if one not in self.sleepers}
        waiting = {node for node, *_ in self.replay.waiting}
        found = []
        for node in sorted({*self.node_of.values()}):
            life = sum(of == node for of in self.node_of.values())
            found.append(Standing(node, life, None))
            if (one := pending.get(node)) is not None:
                found[-1] = Standing(node, life, one.event.text, self._spins(node), node in waiting, one.options)
        return found

    def _spins(self, node: int) -> bool:
        """Tell whether a node asked the same and got the same answer, while nothing was written."""
        last: list[tuple] = []
        for move in reversed(self.moves):
            if move.effect not in (None, "refused") and move.reply == "done":
                break
            if move.node == node and move.kind != CRASH:
                last.append((move.text, move.reply))
        return len(last) >= SPINS and len(set(last[:SPINS])) == 1

    @property
    def ended(self) -> list[int]:
        """The nodes that have finished."""
        return [one.node for one in self.nodes if one.next is None]

    @property
    def faults(self) -> list[Made]:
        """The moves that were faults."""
        return [move for move in self.moves if move.is_fault]

    @property
    def sleepers(self) -> list[Pending]:
        """The incarnations that fell asleep while their node's next one goes on: zombies, once they wake up."""
        return [one for one in self.replay.pending if one.asleep or one.actor != one.node]


class Question(NamedTuple):
    """What a scene asks before its first step: its words, and {answer: its words}."""

    words: str
    answers: Mapping[str, str]


class Scene:
    """A chapter's scene. `name` is the CSS class of its root, `what` its name in sentences, `noun` a node's if they
    have no `names`.

    - `question` is asked before the first step; no step can be taken until it is answered.
    - `strikes` are the kinds of decisions by which a learner may strike a step, beside the death before it. Where a
      node `runs`, it can also be run to its end, and sleep while others run.
    - `rule(view, chosen)` is the scene's invariant, as in `prove`. Where it is given, the verdict is what it says,
      and `good` once all have ended well; a button has the explorer look for a schedule against it, within `bounds`.
      A scene with another verdict has a `verdict` of its own.
    - Where a program makes choices, the learner makes them; `takes_after_a_choice` steps follow by themselves.
    - `job` is the `Job` of its programs, for handlers that bring no input of their own; `stories` maps titles to
      tokens, which a click brings to the screen.
    """

    name = "eo-scene"
    what = "The player"
    noun = "node"
    names: Sequence[str] = ()
    choices: Mapping[str, Choice] = {}
    stories: Mapping[str, str] = {}
    job = Job(items=1)
    most_steps, most_faults = 160, 4
    takes_after_a_choice = 0
    question: Question | None = None
    strikes: Sequence[str] = ()
    runs = True
    rule: Callable[[View, Mapping[str, Any]], Any] | None = None
    bounds: Mapping[str, int] = {}
    good = "All have ended, and everything is right."

    def programs(self, chosen: Mapping[str, Any]) -> list[Handler]:
        """Return the handlers, one for each node."""
        raise NotImplementedError

    def picture(self, position: Any) -> str:
        """Return the picture of a position as HTML."""
        return ""

    def verdict(self, state: Any) -> tuple[str, str, str]:
        """Return ("good", "warn", "bad" or "none", the first sentence, the rest) on a `PlayerState`."""
        position = state.position
        said = self.rule(position.view, state.chosen) if self.rule else True
        if said is False or isinstance(said, str):  # as `prove` takes an invariant
            said = said or "The rule does not hold"
            return "bad", f"{str(said)[:1].upper()}{str(said)[1:]}.", self.because(state)
        if position.replay.run.error:
            return "bad", "A program has failed.", what_failed(position.replay.run.error)
        if position.view.done and position.sleepers:
            return "none", "All have ended but one that sleeps: wake it up.", self.because(state)
        if position.view.done:
            return "good", self.good, self.because(state)
        stuck = [one.waits or one.spins for one in position.nodes if one.next and one.node not in state.asleep]
        if stuck and all(stuck):
            return "warn", "Nobody gets on: all that have not ended wait for somebody.", self.because(state)
        return "none", "Nothing is wrong so far.", self.because(state)

    def because(self, state: Any) -> str:
        """Return the sentence after the verdict, such as the content of the log."""
        return ""

    def title(self, node: int) -> str:
        """Return the name of a node, counted from 0."""
        return self.names[node] if self.names else f"{self.noun} {node + 1}"

    def words(self, text: str) -> str:
        """Return the words of a step on the screen."""
        return text

    def table(self, position: Any) -> str | None:
        """Return a table of what the stores hold, as HTML; with None the player makes its own."""
        return None

    def offers(self, position: Any, node: int) -> Mapping[str, bool]:
        """Return {kind of fault: whether it can strike the node's next step}."""
        return dict.fromkeys((CRASH, *self.strikes), True)

    def more(self, state: Any, node: int) -> Iterable[str]:
        """Return further buttons of a node, as HTML."""
        return ()

    def pane(self, state: Any, node: int) -> str:
        """Return what stands above a node's next step, as HTML, such as its code."""
        return ""

    def remark(self, state: Any, number: int) -> str:
        """Return what stands behind a step that was taken, as HTML; `number` counts from 1."""
        return ""
