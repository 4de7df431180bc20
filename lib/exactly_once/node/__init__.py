"""What a handler is given: a `Node`, one life with stores, inputs and crash points; and the `Job` it is to do.

`node` is the complete list of what a handler may use, `life` carries out its steps and its misfortunes, `world` says
what a world supplies, `registers` and `locks` what lives share, `parts` names it, `job`, `window` and `series` are the
inputs.
"""

from .job import Job
from .node import Node
from .window import Reading, Window
from .world import World

__all__ = ["Job", "Node", "Reading", "Window", "World"]
