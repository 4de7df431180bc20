"""What a node runs: a handler, where its inputs come from, and where its output goes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..errors import BadInput
from .node import Handler
from .source import Partition, Source
from .world import Stores

OUTPUT = "output"


@dataclass(frozen=True)
class Program:
    """What one node runs.

    `handler` is a function of one argument, the node. `source` is where its inputs come from. `output` is where
    `node.output` goes: the log "output" of the engine's store, another name there, or a `Partition`. Nodes whose
    programs have the same `name` share positions and state, as twins do. Raises `BadInput` for anything else.
    """

    handler: Handler
    source: Source
    output: str | Partition = OUTPUT
    name: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.source, Source):
            raise BadInput(
                f"The source of a program is {self.source!r}; give a Source, such as a Job or a LogSource."
            )
        if not isinstance(self.output, (str, Partition)) or not self.output:
            raise BadInput(f"The output of a program is {self.output!r}; give the name of a log, or a Partition.")
        if not isinstance(self.name, str) or "." in self.name:
            raise BadInput(f"The name of a program is {self.name!r}; it is text without a dot, such as 'producer'.")

    def part(self, name: str) -> str:
        """Return what this program calls a part of its own, such as its positions, in the engine's store."""
        return f"{self.name}.{name}" if self.name else name

    def load_inputs(self, stores: Stores) -> None:
        """Put inputs and partitions into the stores, before a run begins."""
        self.source.load_inputs(stores)
        if isinstance(self.output, Partition):
            self.output.load_inputs(stores)

    def handled_by(self, handler: Handler) -> Program:
        """Return the same program with another handler."""
        return replace(self, handler=handler)


def load_inputs(programs: Sequence[Program], stores: Stores) -> None:
    """Put the inputs of all programs into the stores, each source's once."""
    for number, program in enumerate(programs):
        if all(program.source != earlier.source or program.output != earlier.output for earlier in programs[:number]):
            program.load_inputs(stores)


def size_of(programs: Iterable[Program | Source]) -> int:
    """Return how many reads of different sources there can be in all, as far as that is known."""
    return sum(source.size() for source in {one.source if isinstance(one, Program) else one for one in programs})
