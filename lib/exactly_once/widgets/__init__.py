"""What a learner clicks: consoles and playgrounds, one or two for a chapter, and `debugger(…)`, a run step by step.

Each has a model (plain Python, tested without a notebook), a view (fragments of HTML from the model's state) and one
widget that binds them to the page.
"""

from .clock_playground import ClockPlayground, clock_playground
from .clock_playground_model import ClockPlaygroundModel
from .console import CrashConsole, crash_console
from .console_model import ConsoleModel
from .debugger import Debugger, debugger
from .debugger_model import DebuggerModel
from .delivery import DeliveryLab, delivery_lab
from .delivery_model import DeliveryModel
from .log_viewer import LogViewer, log_viewer
from .log_viewer_model import LogViewerModel
from .prove_console import ProveConsole, prove_console
from .prove_model import ProveModel

__all__ = [
    "ClockPlayground",
    "ClockPlaygroundModel",
    "ConsoleModel",
    "CrashConsole",
    "Debugger",
    "DebuggerModel",
    "DeliveryLab",
    "DeliveryModel",
    "LogViewer",
    "LogViewerModel",
    "ProveConsole",
    "ProveModel",
    "clock_playground",
    "crash_console",
    "debugger",
    "delivery_lab",
    "log_viewer",
    "prove_console",
]
