"""A way through a run: the decisions of the learner, some of them undone; back and forth in it, its token."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...errors import BadInput, one_of
from ...explore import tokens
from ..base.model import BaseState, Model


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

    def __init__(self, state):
        super().__init__(state)
        self._positions = {}

    def actions(self):
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
        return tokens.write(self.handlers, self.job, self.nodes, self.state.way[: self.state.at])

    def begin(self):
        """Start again, with an empty way."""
        self.stand((), 0)

    def go(self, at):
        """Stand after so many decisions of the way."""
        self.stand(self.state.way, at)

    def take(self, way, **changes):
        """Stand after these decisions. The undone ones stay if `way` is a prefix of the present way."""
        whole = self.state.way
        self.stand(whole if whole[: len(way)] == way else way, len(way), **changes)

    def stand(self, way, at, **changes):
        """Stand after the first `at` decisions of a way; `changes` are further changes of the state."""
        at = max(0, min(len(way), at))
        self.update(way=way, at=at, position=self.after(way[:at]), **changes)

    def after(self, schedule):
        """Return the position after some decisions; each sequence is performed once."""
        if schedule not in self._positions:
            self._positions[schedule] = self.position_of(schedule)
        return self._positions[schedule]

    def position_of(self, schedule):
        """Perform some decisions, and return the position after them."""
        raise NotImplementedError

    def forget(self):
        """Forget all positions, for other programs."""
        self._positions = {}


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

    def __init__(self, scene):
        first = {name: next(iter(one.values)) if one.first is None else one.first
                 for name, one in scene.choices.items()}  # fmt: skip
        super().__init__(self.kind(chosen=first))
        self.scene, self.what = scene, scene.what

    def actions(self):
        """Return the actions that `do` knows, by name."""
        return super().actions() | {"answer": self.answer}

    def answer(self, value):
        """Keep the learner's answer to the question of the scene. Raises `BadInput` for another one."""
        answers = self.scene.question.answers if self.scene.question else ()
        self.update(answer=one_of("the answer", value, answers))

    def must_be_answered(self):
        """Raise `BadInput` as long as the question has no answer."""
        if self.scene.question and not self.state.answer:
            raise BadInput("First say what you expect: the question is above.")

    def chosen_with(self, changes):
        """Return the choices with some changed: {name: value, as text}. Raises `BadInput` for an unknown value."""
        chosen = dict(self.state.chosen)
        for name, value in changes.items():
            values = {str(each): each for each in self.scene.choices[name].values}
            chosen[name] = values[one_of(f"{name!r}", str(value), values)]
        return chosen
