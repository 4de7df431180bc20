"""A store that other processes change, too, without a lock: an operation is tried again if another came in between.

Source: H. T. Kung and J. T. Robinson, On Optimistic Methods for Concurrency Control, ACM TODS 6(2), 1981.
"""

import contextlib
from collections.abc import Callable, Iterable
from typing import TypeVar

from .codec import Value
from .interface import Origin, Reply, Store
from .operations import KINDS

Done = TypeVar("Done")


class Changed(Exception):
    """Another client has changed the store meanwhile, so nothing took place."""


class OptimisticStore(Store):
    """A store whose `_changing` raises `Changed` at its end when another client has come in between."""

    def do(self, part: str, verb: str, *arguments: Value, origin: Origin | None = None) -> Reply:
        """Carry out one operation and return a `Reply`, as any store does."""
        return self._tried(lambda: super(OptimisticStore, self).do(part, verb, *arguments, origin=origin))

    def fill(self, part: str, values: Iterable[Value]) -> None:
        """Append many values to a log before a run begins."""
        given = list(values)
        self._tried(lambda: super(OptimisticStore, self).fill(part, given))

    def prepare(self, part: str, verb: str, *arguments: Value) -> None:
        """Carry out an operation before a run begins."""
        self._tried(lambda: super(OptimisticStore, self).prepare(part, verb, *arguments))

    def free(self, life: int) -> None:
        """Let go of all that an incarnation holds."""

        def let_go() -> None:
            with self._changing():
                for kind, passed in [(name, kind.passed) for name, kind in KINDS.items() if kind.passed is not None]:
                    for part in self.held(kind):
                        self._put(kind, part, passed(self._get(kind, part), life, None))

        self._tried(let_go)

    def _tried(self, attempt: Callable[[], Done]) -> Done:
        while True:
            with contextlib.suppress(Changed):
                return attempt()
