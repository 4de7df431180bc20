"""The interactive widgets: consoles and playgrounds, one or two for a chapter, and `debugger(…)`, a run step by step.

Each widget has a model (plain Python, tested without a notebook), a view (fragments of HTML from the model's state)
and one widget class that binds them to the page.
"""

from ..doors import open_door
from ..extras import needed

needed("lab", "anywidget", "ipywidgets")

from .adversary.widget import adversary
from .console.model import ConsoleModel
from .console.widget import crash_console
from .debug.model import DebuggerModel
from .debug.widget import Debugger, debugger
from .exercise.widget import exercise_panel
from .playground.model import ClockPlaygroundModel
from .playground.widget import clock_playground
from .price.model import Price
from .price.widget import cost_lab, price_lab
from .prove.model import ProveModel
from .timeline.model import TimelineModel
from .timeline.widget import transaction_timeline
from .twins.model import TwinsModel
from .twins.widget import TwinsConsole, twins

open_door(__name__)
