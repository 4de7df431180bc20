"""Lock-free queues that are filled before a run begins: inputs for a handler without an upstream handler.

So a handler is explored without the handler that would fill the queues: it sees only the queue of that one.
"""

from dataclasses import dataclass, field

from ..errors import BadInput
from ..node.source import CellSource, Sent
from ..node.world import QUEUES, Stores
from ..stores.codec import Value, encode
from .queue import cell, checked_value

SENDER = "given"


@dataclass(frozen=True)
class Given(CellSource):
    """Queues whose values are known: `values` has a tuple of them for each of `queues`. Raises `BadInput` for None in
    it, which stands for an empty queue, and as `checked_value` does.
    """

    values: tuple[tuple[Value, ...], ...] = field(default=(), hash=False)  # a value may be a list

    def __post_init__(self) -> None:
        super().__post_init__()
        lists = self.values if isinstance(self.values, (tuple, list)) else ()
        fit = len(lists) == len(self.queues) and all(isinstance(one, (tuple, list)) for one in lists)
        if not fit:
            raise BadInput(f"The values are {self.values!r}; give a list for each of {', '.join(self.queues)}.")
        if not any(lists):
            raise BadInput(
                f"There is nothing to read: no values are given for {', '.join(self.queues)}. Give at least one, as "
                "in [[1, 2], [3]], which has two for the first queue and one for the second."
            )
        object.__setattr__(self, "values", tuple(map(tuple, lists)))
        for value in (value for values in self.values for value in values):
            encode(checked_value(value))
            if value is None:
                raise BadInput("A queue cannot hold None, which says that there is nothing; give another value.")

    def size(self) -> int:
        """Return how many values there are."""
        return sum(map(len, self.values))

    def end(self) -> dict[str, int]:
        """Return the positions after the last of each."""
        return dict(zip(self.queues, map(len, self.values), strict=True))

    def hours(self) -> set[int]:
        """Return the numbers of the reads: each gives the next value of every queue that has one."""
        return set(range(1, max(map(len, self.values)) + 1))

    def load_inputs(self, stores: Stores) -> None:
        """Put the values into the cells of their queues."""
        there = stores[QUEUES].held("cell")  # the queues that another reader's source has filled
        for queue, values in zip(self.queues, self.values, strict=True):
            for index, value in enumerate(values):
                if cell(queue, index) not in there:
                    sent = Sent(SENDER, index + 1, [value], index + 1)
                    stores[QUEUES].prepare(cell(queue, index), "write", sent)
