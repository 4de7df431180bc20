"""*Go on from here*: the player at a step of a schedule that was found; from there one goes another way."""

from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import CourseError
from ...simulate.decision import LOST_REPLY, LOST_REQUEST, PAUSE, STEP, STEP_AND_CRASH, Decision
from ...verdict import Run, judge
from ..base.nodes import who
from .moves import SIGNS
from .scene import Position, Scene
from .widget import PlayerWidget, play


class Found(Scene):
    """The programs of a schedule that the explorer found, at any of its steps."""

    what = "The other way"
    strikes = (STEP_AND_CRASH, PAUSE, LOST_REQUEST, LOST_REPLY)

    def __init__(self, programs: list, job: Any, schedule: Sequence[Decision]) -> None:
        self.given, self.job, self.schedule = programs, job, tuple(schedule)

    def programs(self, chosen: Mapping[str, Any]) -> list:
        """Return the programs, one for each node."""
        return self.given

    def parted(self, way: Sequence[Decision]) -> int:
        """Return after how many steps a way leaves the schedule that was found, or where it ends on it."""
        together = 0
        while together < min(len(way), len(self.schedule)) and way[together] == self.schedule[together]:
            together += 1
        return together

    def picture(self, position: Position) -> str:
        """Draw both ways as rows of steps: what they share, and the branches."""
        way = position.replay.schedule
        shared = self.parted(way)
        rows = [("found", self.schedule[shared:]), ("yours", way[shared:])]
        branches = "".join(f"<p>{name}: {_chips(branch)}</p>" for name, branch in rows)
        return f'<div class="eo-player-branches"><p>together: {_chips(way[:shared])}</p>{branches}</div>'

    def verdict(self, state: Any) -> tuple[str, str, str]:
        """Say where the way is beside the schedule that was found, and what the programs' own errors are."""
        shared, said = self.parted(state.way[: state.at]), super().verdict(state)
        if said[0] != "none" or state.position.view.done:
            return said if said[0] != "good" else self._judged(state.position.replay.run)
        at = f"You are at step {state.at}; the schedule that was found has {len(self.schedule)}."
        return "none", at, "" if shared == state.at else f"You left it after step {shared}."

    def _judged(self, run: Run) -> tuple[str, str, str]:
        """Judge a run in which all have ended by the right outcomes of its first handler, where there are such."""
        try:
            verdict = judge(run, getattr(self.given[0], "handler", self.given[0]))
        except CourseError:
            return "none", "All have ended.", "The table of the stores says what is left."
        first, stop, rest = verdict.sentence.partition(". ")
        return "good" if verdict.exactly_once else "bad", f"{first}{stop}".strip(), rest


def _chips(decisions: Sequence[Decision]) -> str:
    signs = (f"{who(one.actor)}{'' if one.kind == STEP else SIGNS.get(one.kind, '')}" for one in decisions)
    return " ".join(signs) or "–"


def go_on(programs: list, job: Any, schedule: Sequence[Decision], at: int) -> PlayerWidget:
    """Return the player after the first `at` decisions of a schedule of these programs."""
    widget = play(Found(programs, job, schedule))
    widget.model.stand(tuple(schedule), at)
    return widget
