"""The handler's argument, a `Node`: one incarnation with stores, inputs and crash points; and a node's `Program`.

`node` is the complete list of a handler's means, `access` its handles of the stores, `life` carries out its steps and
its faults, `world` is the interface of a world. A `Program` calls the handler, and has a `source` of inputs; `sent`
holds the messages of a lock-free handler. `parts` names the parts of stores, and `pickling` ships a handler by value.
"""

from .node import Node
from .program import Program, live, program_of
from .source import LogSource, Numbers, Partition, Source
from .world import Stores, World
