"""The player's model: the decisions of the learner on the nodes of a scene, and the way back and forth in them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...errors import BadInput, one_of, whole
from ...pipeline import programs_of
from ...sandbox import prove_safely
from ...simulate.replay import Replay, ReplayDiverged, Replayer
from ...simulate.schedule import CRASH, OPTION, STEP, Decision, read_token, write_token
from ...simulate.simulated_world import STEP as AT_A_STEP
from ...verdict.view import View
from ..base.model import BaseState, Model, Work, WrongField
from .scene import FAULTS, SPINS, Position, Scene


@dataclass(frozen=True, kw_only=True)
class WayState(BaseState):
    """The state of the screen. `way` are all decisions; the first `at` were taken, the others were undone and can be
    done again. `position` is the present state of the run.
    """

    way: tuple = ()
    at: int = 0
    position: Any = None


class WayModel(Model):
    """The decisions of the learner on the nodes of a run, in order; the learner can go back and forth in them.

    A subclass gives `handlers`, `job` and the number of `nodes`, and defines `position_of`; its `actions` are added
    to the ones here.
    """

    def __init__(self, state: Any) -> None:
        super().__init__(state)
        self._positions = {}

    def actions(self) -> dict[str, Callable[..., Any]]:
        """Return the actions that `do` knows, by name."""
        return {
            "undo": lambda _: self.go(self.state.at - 1),
            "redo": lambda _: self.go(self.state.at + 1),
            "go": lambda at: self.go(int(at)),
            "restart": lambda _: self.begin(),
        }

    @property
    def token(self):
        """The token of the taken decisions: `replay(token, handlers)` performs them."""
        return write_token(self.handlers, self.job, self.nodes, self.state.way[: self.state.at])

    def begin(self) -> None:
        """Start again, with an empty way."""
        self.stand((), 0)

    def go(self, at: int) -> None:
        """Stand after so many decisions of the way."""
        self.stand(self.state.way, at)

    def take(self, way: tuple[Any, ...], **changes: Any) -> None:
        """Stand after these decisions. The undone ones stay if `way` is a prefix of the present way."""
        whole = self.state.way
        self.stand(whole if whole[: len(way)] == way else way, len(way), **changes)

    def stand(self, way: tuple[Any, ...], at: int, **changes: Any) -> None:
        """Stand after the first `at` decisions of a way; `changes` are further changes of the state."""
        at = max(0, min(len(way), at))
        self.update(way=way, at=at, position=self.after(way[:at]), **changes)

    def after(self, schedule: tuple[Any, ...]) -> Any:
        """Return the position after some decisions; each sequence is performed once."""
        if schedule not in self._positions:
            self._positions[schedule] = self.position_of(schedule)
        return self._positions[schedule]

    def position_of(self, schedule):
        """Perform some decisions, and return the position after them."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class SceneState(WayState):
    """The state of a scene's screen. `chosen` maps each choice to its value; `answer` is the learner's to the scene's
    question, "" until it is given.
    """

    chosen: Mapping[str, Any] = field(default_factory=dict)
    answer: str = ""


class SceneModel(WayModel):
    """A way through a scene, which has choices and perhaps a question: without an answer to it nothing can be done.

    `kind` is the class of the state.
    """

    kind = SceneState

    def __init__(self, scene: Any) -> None:
        first = {name: next(iter(one.values)) if one.first is None else one.first
                 for name, one in scene.choices.items()}  # fmt: skip
        super().__init__(self.kind(chosen=first))
        self.scene, self.what = scene, scene.what

    def actions(self) -> dict[str, Callable[..., Any]]:
        """Return the actions that `do` knows, by name."""
        return super().actions() | {"answer": self.answer}

    def answer(self, value: Any) -> None:
        """Keep the learner's answer to the question of the scene. Raises `BadInput` for another one."""
        answers = self.scene.question.answers if self.scene.question else ()
        self.update(answer=one_of("the answer", value, answers))

    def must_be_answered(self) -> None:
        """Raise `BadInput` as long as the question has no answer."""
        if self.scene.question and not self.state.answer:
            raise BadInput("First say what you expect: the question is above.")

    def chosen_with(self, changes: dict[Any, Any]) -> dict[Any, Any]:
        """Return the choices with some changed: {name: value, as text}. Raises `BadInput` for an unknown value."""
        chosen = dict(self.state.chosen)
        for name, value in changes.items():
            values = {str(each): each for each in self.scene.choices[name].values}
            chosen[name] = values[one_of(f"{name!r}", str(value), values)]
        return chosen


SECONDS = 30.0  # for the explorer
SEARCHING = "none", "The explorer searches …", "Do something else, and its answer is not shown."


@dataclass(frozen=True, kw_only=True)
class PlayerState(SceneState):
    """The state of the screen. `asleep` are the nodes that take no step until they are woken up; `found` is the
    verdict of the explorer, while the learner looks at it.
    """

    found: tuple[str, str, str] | None = None
    asleep: frozenset = frozenset()


class Player(SceneModel):
    """The nodes of a scene, and the learner's decisions on them, in order; the learner can go back and forth in them.

    `chosen` are the first values of choices. Raises `BadInput` for an unknown value.
    """

    kind = PlayerState

    def __init__(self, scene: Scene, chosen: Mapping[str, Any] | None = None) -> None:
        super().__init__(scene)
        self.job = scene.job
        self.work: Work | None = None
        self.begin(**(chosen or {}))

    def actions(self) -> dict[str, Callable[[Any], None]]:
        """Return the actions that `do` knows."""
        return (
            super().actions()
            | {
                "step": lambda node: self.decide(self._awake(node), STEP),
                "run": lambda node: self.run([self._awake(node)]),
                "kill": lambda node: self.strike(self._node(node), CRASH),
                "strike": lambda struck: self.strike(
                    self._node(struck[1:]), one_of("the fault", struck[0], self.strikes)
                ),
                "option": lambda which: self.choose(*map(int, str(which).split("-"))),
                "wake": lambda actor: self.wake(int(actor)),
                "break": lambda _: self.search(),
                "sleep": lambda node: self.sleep(self._node(node)),
                "all": lambda _: self.run(self.going),
                "token": self.load,
                "story": lambda title: self.load(self.scene.stories[one_of("the story", title, self.scene.stories)]),
            }
            | {name: lambda value, name=name: self.begin(**{name: value}) for name in self.scene.choices}
        )

    @property
    def strikes(self) -> tuple:
        """The kinds of faults that can strike a step."""
        return (CRASH, *self.scene.strikes)

    def search(self) -> None:
        """Have the explorer look for the simplest schedule against the scene's rule, while the kernel stays free.

        What it finds is shown if the learner has done nothing else meanwhile.
        """
        self.must_be_answered()
        if self.work is not None and not self.work.join(0):
            raise BadInput("The explorer is still at work. Wait until it says what it has found.")
        self.update(found=SEARCHING)
        self.work = Work("search", self._search, self._gave_up, lambda _: None)
        self.work.start()

    def _search(self, work: Work) -> None:
        scene, chosen, handlers = self.scene, self.state.chosen, self.handlers

        def rule(view: View) -> Any:
            return scene.rule(view, chosen) if scene.rule else True

        bounds: dict[str, Any] = {"crashes": 0, **scene.bounds}
        proof = prove_safely(handlers, job=self.job, invariant=rule, seconds=SECONDS, **bounds)
        with self.lock:
            if self.state.found is not SEARCHING:
                return
            if (found := proof.counterexample) is None:
                said = ("good" if proof.ok else "warn", *str(proof).split("\n")[:2])
            else:
                self.load(found.token)
                said = ("bad", found.sentence, scene.because(self.state))
            self.update(found=said, error=None)

    def _gave_up(self, why: BaseException, work: Work) -> None:
        self.update(found=None)
        self.fail(why)

    @property
    def verdict(self) -> tuple[str, str, str]:
        """What the explorer says, if it was asked and nothing was done since; else what the scene says."""
        return self.state.found or self.scene.verdict(self.state)

    @property
    def handlers(self) -> list:
        """The handlers of the nodes, in the form of `prove`, `replay` and `adversary`."""
        return self.scene.programs(self.state.chosen)

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return len(self.handlers)

    def begin(self, **changes: Any) -> None:
        """Start again, with other choices if any are given. Raises `BadInput` for an unknown value."""
        chosen = self.chosen_with(changes)
        self.put_right("token")
        self.update(chosen=chosen, asleep=frozenset())
        if changes:
            self._positions = {}  # they were of other programs
        super().begin()

    def decide(self, node: int, kind: str, option: int = 0) -> None:
        """Let a node take its next step, or die before it. Undone decisions are dropped unless this is the first."""
        self._has_room(self.state.at)
        self.take((*self.state.way[: self.state.at], Decision(node, kind, option)))

    @property
    def going(self) -> list[int]:
        """The nodes that could take a step now."""
        nodes = [one for one in self.state.position.nodes if one.next is not None and not one.waits]
        return [one.node for one in nodes if not one.options and one.node not in self.state.asleep]

    def run(self, nodes: list[int]) -> None:
        """Let nodes take steps in turns until all have finished, or the remaining ones wait or spin."""
        if not nodes:
            said = "all have ended, or are asleep, or wait, or stand at a choice."
            raise BadInput(f"Nobody is left who could take a step: {said}")
        self._has_room(self.state.at)
        taken = list(self.state.way[: self.state.at])
        replayer = Replayer(programs_of(self.handlers, self.job))
        replay = replayer.replay(self._in_turns(replayer, nodes, taken))
        replay.schedule, schedule = taken, tuple(taken)
        self._positions[schedule] = self._position(replayer, replay)
        self.take(schedule)

    def strike(self, node: int, kind: str) -> None:
        """Let a fault strike a node's next step; where the node dies, its next incarnation begins at once, awake."""
        if self._standing(node).next is None:
            raise BadInput(f"{self.title(node)} has ended; there is nobody left to strike.")
        if len(self.state.position.faults) >= self.scene.most_faults:
            raise BadInput(f"{self.scene.most_faults} faults are enough for one run. Undo some, or start again.")
        self.update(asleep=self.state.asleep - {node})
        try:
            self.decide(node, kind)
        except ReplayDiverged:
            raise BadInput(f"“{FAULTS[kind]}” cannot strike here: this step sends no request to a store.") from None

    def choose(self, node: int, option: int) -> None:
        """Make the choice at which a node stands: `option` is its number, from 0."""
        whole("the number of the choice, from 0,", option, 0, len(self._standing(node).options) - 1)
        self.decide(node, OPTION, option)
        for _ in range(self.scene.takes_after_a_choice):
            if self._standing(node).next is not None:
                self.decide(node, STEP)

    def wake(self, actor: int) -> None:
        """Let an incarnation that sleeps, while its node's next one goes on, take its next step."""
        if actor not in {one.actor for one in self.state.position.sleepers}:
            raise BadInput("Nobody sleeps there.")
        self.decide(actor, STEP)

    def sleep(self, node: int) -> None:
        """Let a node fall asleep before its next step, or wake it up."""
        if self._standing(node).next is None:
            raise BadInput(f"{self.title(node)} has ended, and has no use for sleep.")
        self.update(asleep=self.state.asleep ^ {node})

    def load(self, token: str) -> None:
        """Bring back the steps of a token of these programs. Raises `WrongField` for any other token."""
        text = str(token).strip()
        try:
            _, nodes, schedule = read_token(text, self.handlers)
        except BadInput as why:
            said = f"{why} It must be of the choices above." if self.scene.choices else str(why)
            raise WrongField(said, "token", text) from why
        way = tuple(schedule)
        others = {one.kind for one in way} - {STEP, OPTION, *self.strikes}
        if nodes != self.nodes or len(way) > self.scene.most_steps or others:
            raise WrongField(f"This token is of a run that {self.what.lower()} cannot show.", "token", text)
        self.stand(way, len(way))

    def title(self, node: int) -> str:
        """Return the name of a node at the beginning of a sentence."""
        return self.scene.title(node).capitalize()

    def _standing(self, node):
        return self.state.position.nodes[node]

    def _node(self, value: Any) -> int:
        return whole(f"the number of a {self.scene.noun}, from 0,", int(value), 0, self.nodes - 1)

    def _awake(self, value: Any) -> int:
        node = self._node(value)
        one, name = self._standing(node), self.title(node)
        if node in self.state.asleep:
            raise BadInput(f"{name} is asleep. Wake it up first.")
        if one.next is None or one.waits:
            raise BadInput(f"{name} has ended." if one.next is None else f"{name} has to wait: {one.next}.")
        if one.options:
            raise BadInput(f"{name} stands at a choice: make it.")
        return node

    def _has_room(self, at: int) -> None:
        self.must_be_answered()
        if at >= (most := self.scene.most_steps):
            raise BadInput(f"{most} steps were taken, as many as there may be. Undo some, or start again.")

    def stand(self, way: tuple, at: int, **changes: Any) -> None:
        """Stand after the first `at` decisions of a way."""
        super().stand(way, at, **{"found": None, **changes})

    def position_of(self, schedule: tuple) -> Position:
        """Perform some decisions, and return the `Position` after them."""
        replayer = Replayer(programs_of(self.handlers, self.job))
        return self._position(replayer, replayer.replay(schedule))

    def _position(self, replayer: Replayer, replay: Replay) -> Position:
        done = not any(not one.asleep for one in replay.pending)
        view = View(replayer.stores, replayer.programs, done)
        return Position(replay, view)

    def _in_turns(self, replayer: Replayer, nodes: list[int], taken: list[Any]) -> Iterator[Decision]:
        """Yield the decisions in `taken`, and then steps of `nodes` in turns; each new step is added to `taken`."""
        yield from list(taken)
        left, asked, writes = list(nodes), {}, 0

        def spins(node):
            return asked.get(node, ("", 0))[1] >= SPINS or replayer.waits(replayer.actors[node])

        while left and not all(map(spins, left)):
            for node in list(left):
                if len(taken) == self.scene.most_steps:
                    return
                if replayer.waits(replayer.actors[node]):
                    continue
                text = replayer.actors[node].world.event.text
                taken.append(Decision(node, STEP, 0))
                yield taken[-1]
                now = sum(entry.value is not None for one in replayer.stores.values() for entry in one.journal())
                asked, writes = (asked, writes) if now == writes else ({}, now)
                before, times = asked.get(node, (text, 0))
                asked[node] = text, times + 1 if before == text else 1
                if replayer.actors[node].found != AT_A_STEP:
                    left.remove(node)
