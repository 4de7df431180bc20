"""A recorded run on the player's screen: it is stepped, forth and back, and nothing strikes it."""

from collections.abc import Callable, Mapping
from html import escape
from itertools import takewhile
from typing import Any

from ...errors import BadInput
from ..base.controls import button
from .player_model import SceneModel
from .player_widget import PlayerWidget, choices_html, panel, panels, says_html, step, taken
from .scene import Choice, Question

Step = tuple[str, str, str]  # who, does, hears


class Recording:
    """What a chapter gives to show recorded runs: a question, choices, the runs, and what came of each.

    `where` says on what the runs were recorded; `names` are those who act, in the order of their panels.
    """

    what, where, rule = "The recorded run", "", None
    names: tuple[str, ...] = ()
    question: Question | None = None
    choices: Mapping[str, Choice] = {}
    stories: Mapping[str, str] = {}

    def steps(self, chosen: Mapping[str, Any]) -> list[Step]:
        """Return the steps of the run under these choices: (who, does, hears)."""
        raise NotImplementedError  # abstract

    def verdict(self, chosen: Mapping[str, Any]) -> tuple[str, str, str]:
        """Return what came of that run: ("good", "warn" or "bad", a sentence, the rest)."""
        raise NotImplementedError  # abstract


class Recorded(SceneModel):
    """The recorded run of a `Recording` under the learner's choices: of its steps the first `at` are shown."""

    def __init__(self, scene: Recording) -> None:
        super().__init__(scene)
        self.begin()

    def actions(self) -> dict[str, Callable[[Any], None]]:
        """Return the actions that `do` knows."""
        return (
            super().actions()
            | {"step": lambda _: self.step(), "redo": lambda _: self.step()}
            | {"all": lambda _: self.step(to_the_end=True)}
            | {name: lambda value, name=name: self.choose(name, value) for name in self.scene.choices}
        )

    def choose(self, name: str, value: str) -> None:
        """Show another run from its beginning: as many steps as it has in common with the present one stay."""
        before, at = self.state.way, self.state.at
        self.update(chosen=self.chosen_with({name: value}))
        way = tuple(self.scene.steps(self.state.chosen))
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before[:at], way, strict=False)))
        self.stand(way, same)

    def step(self, to_the_end: bool = False) -> None:
        """Show the next step, or all of them. Raises `BadInput` before the question is answered, and at the end."""
        self.must_be_answered()
        if self.state.at == len(self.state.way):
            raise BadInput("The run has ended. Choose another one, or go back.")
        self.stand(self.state.way, len(self.state.way) if to_the_end else self.state.at + 1)

    def begin(self) -> None:
        """Stand before the first step."""
        self.stand(tuple(self.scene.steps(self.state.chosen)), 0)

    def position_of(self, schedule: tuple) -> tuple[Step, ...]:
        """Return the steps that are shown."""
        return schedule

    @property
    def verdict(self) -> tuple[str, str, str]:
        """What came of the run, once its last step is shown."""
        if self.state.at < len(self.state.way):
            return "none", "A recorded run.", self.scene.where
        return self.scene.verdict(self.state.chosen)


def fragments(model: Recorded, _width: int | None = None) -> dict[str, str]:
    """Return {trait: HTML} from the state of a `Recorded`."""
    state, scene = model.state, model.scene
    ended = state.at == len(state.way)
    tools = button("eo-all", "step", "▶ Step", off=ended, primary=True)
    tools += button("eo-run-out", "all", "▶▶ To the end", off=ended)
    tools += button("eo-undo", "undo", "↶ Undo", not state.at)
    tools += button("eo-restart", "restart", "Start again", not state.at)
    return {
        "choices": choices_html(model),
        "tools": tools,
        "says": says_html(*model.verdict),
        "picture": "",
        "nodes": panels(_panel(number, name, state.position) for number, name in enumerate(scene.names)),
        "way": _way(model),
        "table": "",
    }


def _panel(number: int, name: str, shown: tuple[Step, ...]) -> str:
    said = [f"{does}: {hears}" for actor, does, hears in shown if actor == name]
    says = said[-1] if said else "nothing yet"
    return panel(number, name.capitalize(), "", f'<p class="eo-player-next-step">{escape(says)}</p>')


def _way(model: Recorded) -> str:
    steps = enumerate(model.state.position, 1)
    names, at = model.scene.names, model.state.at
    return taken(step(n, names.index(who), f"{who}, {does}: {hears}", n == at) for n, (who, does, hears) in steps)


class RecordedWidget(PlayerWidget, view=fragments):
    """The player of a recorded run. `model` is its `Recorded`."""


def play_recorded(scene: Recording) -> RecordedWidget:
    """Return the widget that steps through the recorded runs of a chapter."""
    return RecordedWidget(Recorded(scene), "eo-recorded")
