"""What an invariant looks at: the contents of all stores at one moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import BadInput
from ..node.access import register_in
from .outcome import saved_positions, saved_state, values_pushed

if TYPE_CHECKING:
    from ..node.program import Program
    from ..node.world import Stores


def looked_at(function: Callable[[Any], Any]) -> Any:
    """Return a property that keeps its value in `noted`: what a rule has looked at."""
    name = function.__name__

    def value(view: Any) -> Any:
        if name not in view.noted:
            view.noted[name] = function(view)
        return view.noted[name]

    return property(value, doc=function.__doc__)


class View:
    """The view of all stores at one moment; the argument of an invariant.

    `outputs`, `counter`, `state`, `positions` are the contents (None: nothing yet), `registers` the values by name;
    `done` is True when every node has ended. `stores` are those of these `programs`; `counted(store, part)` hears of
    each cell whose version is asked for. `noted` are the contents that were looked at, by name.
    """

    def __init__(
        self,
        stores: Stores,
        programs: Sequence[Program],
        done: bool = False,
        counted: Callable[[str, str], object] = lambda store, part: None,
    ) -> None:
        self._stores, self._programs, self.done, self._counted = stores, programs, done, counted
        self.noted: dict[str, Any] = {}

    @looked_at
    def outputs(self) -> list[Any]:
        """The values that were pushed, in order."""
        return values_pushed(self._stores, self._programs[0])

    @looked_at
    def counter(self) -> Any:
        """The counter in the database."""
        return self._stores["database"].look("counter", "table")

    @looked_at
    def state(self) -> Any:
        """The saved state of the first node."""
        return saved_state(self._stores, self._programs[0])

    @looked_at
    def positions(self) -> Any:
        """The saved positions of the first node."""
        return saved_positions(self._stores, self._programs[0])

    @looked_at
    def registers(self) -> dict[str, Any]:
        """The value of each register that was written, by name."""
        engine = self._stores["engine"]
        return {name: engine.look(part, "cell") for part in engine.held("cell") if (name := register_in(part))}

    def look(self, store: str, part: str, kind: str) -> Any:
        """Return the content of a part of any store: its kind is "cell", "log", "table" or "partition".

        The records of a partition are [offset, key, value, None]: no exploration knows whose input they are. Raises
        `BadInput` for an inbox or a lock: an exploration looks at no order of what only their nodes can see.
        """
        if kind in ("inbox", "lock"):
            raise BadInput(
                f"A rule cannot look at the {kind} {part!r}; have a node note in a register what it knows."
            )
        return self._stores[store].look(part, kind)

    def version(self, store: str, part: str) -> int:
        """Return how often a cell of any store was written."""
        self._counted(store, part)
        return self._stores[store].do(part, "read").value[0]
