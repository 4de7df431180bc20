"""The handler's argument, a `Node`: one incarnation with stores, inputs and crash points; and a node's `Program`.

`node` is the complete list of a handler's means, `access` its handles of the stores and their parts. `world` has the
interface of a world, and the `Life` that carries out an incarnation's steps and its faults. A `Program` calls the
handler, ships it by value, and has a `source` of inputs.
"""

from .node import Node
from .program import Program, live, program_of
from .source import LogSource, Numbers, Partition, Source
from .world import Stores, World
