"""The interactive widgets: consoles and playgrounds, one or two for a chapter, and `debugger(…)`, a run step by step.

Each widget has a model (plain Python, tested without a notebook), a view (fragments of HTML from the model's state)
and one widget class that binds them to the page.
"""

from typing import TYPE_CHECKING, Any

from ..doors import open_door

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Return one of the names below."""


open_door(
    __name__,
    {
        "console.console_model": "ConsoleModel ProveModel",
        "debug.debug_widget": "Debugger DebuggerModel",
        "exercise.exercise_widget": "exercise_panel",
        "playground.playground_model": "ClockPlaygroundModel",
        "timeline.timeline_model": "TimelineModel",
        "twins.twins_model": "TwinsModel",
        "twins.twins_widget": "TwinsConsole",
    },
)
