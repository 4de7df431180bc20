"""The consoles: what a learner clicks. `crash_console()` is the one of chapters 0 and 4.

Each has a model (plain Python, tested without a notebook), a view (fragments of HTML from the model's state) and one
widget that binds them to the page.
"""

from .console import CrashConsole, crash_console
from .console_model import ConsoleModel

__all__ = ["ConsoleModel", "CrashConsole", "crash_console"]
