"""What a handler is given: a `Node`, one life with stores, inputs and crash points; and the `Program` it is part of.

`node` is the complete list of what a handler may use, `life` carries out its steps and its misfortunes, `world` says
what a world supplies, `registers` and `locks` what lives share, `parts` names it, `program`
says what a node runs, `source` where its inputs come from; `job`, `window` and `series` are one kind of inputs.
"""

from .job import Job
from .node import Node
from .program import Program
from .source import LogSource, Numbers, Partition
from .window import Reading, Window
from .world import World

__all__ = ["Job", "LogSource", "Node", "Numbers", "Partition", "Program", "Reading", "Window", "World"]
