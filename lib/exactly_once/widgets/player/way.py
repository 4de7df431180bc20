"""A way through a run: the decisions of the learner, some of them undone; back and forth in it, its token."""

from dataclasses import dataclass
from typing import Any

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

    @property
    def plain_handlers(self):
        """The functions of the nodes, without the programs around them."""
        return [getattr(one, "handler", one) for one in self.handlers]

    def begin(self):
        """Start again, with an empty way."""
        self.stand((), 0)

    def go(self, at):
        """Stand after so many decisions of the way."""
        self.stand(self.state.way, at)

    def take(self, way, **changes):
        """Stand after these decisions. Keep the undone decisions if `way` is a prefix of the present way; otherwise
        replace the present way.
        """
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
