"""What a handler is given: a `Node`, one life with stores, inputs and crash points; and the `Program` that a node
runs.

`node` is the complete list of what a handler may use, `handles` what it holds of other stores, `life` carries out its
steps and its faults, `live` calls it, `world` says what a world supplies. A `Program` has a `source`: where inputs
come from. `registers` and `locks` are what lives share, `parts` names it.
"""

from .node import Node
from .program import Program
from .source import LogSource, Numbers, Partition, Record, Source
from .world import World

__all__ = ["LogSource", "Node", "Numbers", "Partition", "Program", "Record", "Source", "World"]
