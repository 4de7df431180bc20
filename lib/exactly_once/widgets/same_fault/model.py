"""The same fault without its screen: the late request, its arrival, and the resulting lanes."""

from dataclasses import dataclass

from ...errors import one_of
from ..base.model import BaseState, Model, typed_number
from .lane import LANES, LATE, run_lane

BEFORE = 6  # steps shown before the late request's


@dataclass(frozen=True)
class SameFaultState(BaseState):
    """The late request, the number of steps before it arrives, the largest such number, and the lanes."""

    late: str
    until: int
    most: int
    lanes: tuple


class SameFaultModel(Model):
    """One late request under several strategies. `late` is "output", "counter" or "commit".

    Raises `BadInput` for anything else.
    """

    what = "The diagram"

    def __init__(self, late="output", until=9):
        one_of("the late request", late, LATE)
        super().__init__(SameFaultState(**self._changes(late, until)))

    def actions(self):
        """Return the actions that `do` knows, by name."""
        return {
            "late": lambda late: self.update(
                **self._changes(one_of("the late request", late, LATE), self.state.until)
            ),
            "until": lambda steps: self.update(
                **self._changes(self.state.late, typed_number("until", "The arrival", steps, 1, self.state.most))
            ),
        }

    @staticmethod
    def _changes(late, until):
        """Return what the state is for a late request; `most` is when all nodes have ended, in every lane."""
        most = 1 + max(run_lane(strategy, late, None).end for strategy in LANES)
        until = min(until, most)
        lanes = tuple(run_lane(strategy, late, until) for strategy in LANES)
        return {"late": late, "until": until, "most": most, "lanes": lanes}
