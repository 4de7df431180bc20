"""The scenes of the chapters: small runs whose scheduler is the learner. `ch05/scene.py` has that of chapter 05."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from ..errors import one_of
from ..pipeline import Job
from ..verdict.view import View
from ..widgets.player.player_widget import PlayerWidget, play
from ..widgets.player.recorded import Recording, play_recorded
from ..widgets.player.scene import Scene
from .stream_rule import once_each, told

CHAPTERS = ("02", "03", "05", "06", "07", "08", "09", "10", "11", "12", "13")


class Averages(Scene):
    """A scene of handlers that average a stream: one hour, unless its `job` is another."""

    job, bounds = Job(items=1, duration=1, threshold=0), {"crashes": 1}

    def rule(self, view: View, chosen: Mapping[str, Any]) -> bool | str:
        """Each average is in the output once, and each hour is counted once."""
        return once_each(view, self.job)

    def because(self, state: Any) -> str:
        """Return what is in the output, and the counter."""
        return told(state.position.view)


def scene(chapter: str) -> PlayerWidget:
    """Return the scene of a chapter such as "05", for display. Raises `BadInput` for a chapter without one."""
    name = one_of("the chapter of the scene", chapter, CHAPTERS)
    found = import_module(f"{__package__}.ch{name}.scene").SCENE
    return play_recorded(found) if isinstance(found, Recording) else play(found)
