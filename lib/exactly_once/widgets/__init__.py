"""The interactive widgets: consoles and playgrounds, one or two for a chapter, and `debugger(…)`, a run step by step.

Each widget has a model (plain Python, tested without a notebook), a view (fragments of HTML from the model's state)
and one widget class that binds them to the page.
"""

from ..doors import open_door
from ..extras import needed

needed("lab", "anywidget", "ipywidgets")

from .adversary.model import AdversaryModel
from .adversary.widget import Adversary, adversary
from .console.model import ConsoleModel
from .console.widget import CrashConsole, crash_console
from .debug.model import DebuggerModel
from .debug.widget import Debugger, debugger
from .exercise.model import ExerciseBehind, ExerciseModel
from .exercise.widget import ExercisePanel, exercise_panel
from .logs.model import LogViewerModel
from .logs.widget import LogViewer, log_viewer
from .player.model import Player
from .player.widget import PlayerWidget
from .playground.model import ClockPlaygroundModel
from .playground.widget import ClockPlayground, clock_playground
from .price.costs import CostLab, cost_lab
from .price.model import Price
from .price.widget import PriceLab, price_lab
from .prove.model import ProveModel
from .same_fault.stop import same_stop
from .timeline.model import TimelineModel
from .timeline.widget import TransactionTimeline, transaction_timeline
from .twins.model import TwinsModel
from .twins.widget import TwinsConsole, twins

__all__ = [
    "Adversary",
    "AdversaryModel",
    "ClockPlayground",
    "ClockPlaygroundModel",
    "ConsoleModel",
    "CostLab",
    "CrashConsole",
    "Debugger",
    "DebuggerModel",
    "ExerciseBehind",
    "ExerciseModel",
    "ExercisePanel",
    "LogViewer",
    "LogViewerModel",
    "Player",
    "PlayerWidget",
    "Price",
    "PriceLab",
    "ProveModel",
    "TimelineModel",
    "TransactionTimeline",
    "TwinsConsole",
    "TwinsModel",
    "adversary",
    "clock_playground",
    "cost_lab",
    "crash_console",
    "debugger",
    "exercise_panel",
    "log_viewer",
    "price_lab",
    "same_stop",
    "transaction_timeline",
    "twins",
]

open_door(__name__)
