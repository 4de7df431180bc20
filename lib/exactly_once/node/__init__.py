"""What a handler is given: a `Node`, one life with stores, inputs and crash points; and the `Program` that a node
runs.

`node` is the complete list of what a handler may use, `access` what it holds of the stores, `life` carries out its
steps and its faults, `live` calls it, `world` says what a world supplies. A `Program` has a `source`: where inputs
come from; `sent` is what a lock-free handler sends. `parts` names the parts of stores, `words` hours, and `pickling`
ships a handler by value.
"""

from .node import Node
from .program import Program
from .source import LogSource, Numbers, Partition, Record, Source
from .world import World

__all__ = ["LogSource", "Node", "Numbers", "Partition", "Program", "Record", "Source", "World"]
