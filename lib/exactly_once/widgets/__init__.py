"""The interactive widgets: consoles and playgrounds, one or two for a chapter, and `debugger(…)`, a run step by step.

Each widget has a model (plain Python, tested without a notebook), a view (fragments of HTML from the model's state)
and one widget class that binds them to the page.
"""

from ..doors import open_door
from ..extras import needed

needed("lab", "anywidget", "ipywidgets")

from .adversary.widget import adversary
from .batches.model import BatchesModel
from .batches.widget import BatchTimeline, batch_timeline
from .console.model import ConsoleModel
from .console.widget import crash_console
from .debug.model import DebuggerModel
from .debug.widget import Debugger, debugger
from .delivery.model import DeliveryModel
from .delivery.widget import DeliveryLab, delivery_lab
from .exercise.model import ExerciseBehind
from .exercise.widget import exercise_panel
from .ladder.model import LadderModel
from .ladder.widget import Ladder, ladder
from .logs.model import LogViewerModel
from .logs.widget import log_viewer
from .playground.model import ClockPlaygroundModel
from .playground.widget import clock_playground
from .price.costs import cost_lab
from .price.model import Price
from .price.widget import price_lab
from .producer.model import ProducerModel
from .producer.widget import ProducerLab, producer_lab
from .prove.model import ProveModel
from .prove.widget import ProveConsole, prove_console
from .queue.scene import queue_stepper
from .same_fault.model import SameFaultModel
from .same_fault.stop import same_stop
from .same_fault.widget import SameFault, same_fault
from .timeline.model import TimelineModel
from .timeline.widget import transaction_timeline
from .transfer.model import TransferModel
from .transfer.widget import TransferLab, transfer_lab
from .twins.model import TwinsModel
from .twins.widget import TwinsConsole, twins

open_door(__name__)
