"""The scenes of the chapters: small runs whose scheduler is the learner. `ch05/scene.py` has that of chapter 05."""

from importlib import import_module

from ..errors import one_of
from ..widgets.player.recorded import Recording, play_recorded
from ..widgets.player.widget import PlayerWidget, play

CHAPTERS = ("02", "03", "05", "06", "07", "08", "09", "10", "11", "12", "13")


def scene(chapter: str) -> PlayerWidget:
    """Return the scene of a chapter such as "05", for display. Raises `BadInput` for a chapter without one."""
    name = one_of("the chapter of the scene", chapter, CHAPTERS)
    found = import_module(f"{__package__}.ch{name}.scene").SCENE
    return play_recorded(found) if isinstance(found, Recording) else play(found)
