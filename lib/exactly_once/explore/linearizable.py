"""Is there an order of concurrent calls that explains their answers? A search over a sequential specification.

A history is linearizable if each call can have taken place at one moment between its invocation and its response, so
that the answers are those of the same calls one after the other: M. Herlihy and J. Wing, "Linearizability: A
Correctness Condition for Concurrent Objects", TOPLAS 12(3), 1990. The search is that of J. Wing and C. Gong, "Testing
and Verifying Concurrent Objects", Journal of Parallel and Distributed Computing 17, 1993; as in G. Lowe, "Testing for
Linearizability", Concurrency and Computation 29(4), 2017, it leaves out what it has met: the same calls that are
left, in the same state. The testers of stateright and of porcupine are built like this.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..errors import BadInput


class Specification(Protocol):
    """What an object answers to one process alone. States can be hashed; `initial` is the first one."""

    initial: Any

    def apply(self, state: Any, call: Any) -> tuple[Any, Any]:
        """Return the state after a call, and the answer."""


@dataclass(eq=False)
class Call:
    """One call of a process, from its invocation to its response, numbers of moments.

    `end` is None while there is no response: the call may have taken place, or will, or never does.
    """

    process: Hashable
    call: Any
    begin: int
    end: int | None = None
    answer: Any = None

    def __str__(self) -> str:
        said = " (cut off)" if self.end is None else f", {self.answer!r}"
        return f"{self.process}: {self.call}{said}"


@dataclass
class History:
    """Invocations and responses, in the order in which they are told."""

    calls: list[Call] = field(default_factory=list)
    _moment: int = 0
    _open: dict[Hashable, Call] = field(default_factory=dict)

    def invoke(self, process: Hashable, call: Any) -> None:
        """A process calls. If it has called before and got no response, that call remains without one."""
        self._moment += 1
        self._open[process] = Call(process, call, self._moment)
        self.calls.append(self._open[process])

    def respond(self, process: Hashable, answer: Any) -> None:
        """The process's call returns. Raises `BadInput` for a process without a call."""
        if process not in self._open:
            raise BadInput(f"{process} gets the response {answer!r}, and has not called.")
        self._moment += 1
        one = self._open.pop(process)
        one.end, one.answer = self._moment, answer


@dataclass(frozen=True)
class Linearization:
    """Calls in the order in which they took place, the longest that was found; `whole` if it explains the history."""

    order: tuple[Call, ...]
    whole: bool


def linearization(history: History, specification: Specification) -> Linearization:
    """Return an order of the calls that explains their answers or, where there is none, the longest beginning of one.

    Calls that have a response are all in an order that is whole; others only where they are needed.
    """
    met: set[tuple[frozenset[Call], Any]] = set()
    longest: tuple[Call, ...] = ()

    def found(left: Sequence[Call], state: Any, order: tuple[Call, ...]) -> bool:
        nonlocal longest
        ends = [one.end for one in left if one.end is not None]
        if not ends or len(order) > len(longest):
            longest = order
        if not ends:
            return True
        if (key := (frozenset(left), state)) in met:
            return False
        met.add(key)
        for one in left:
            if one.begin > min(ends):  # a call that is left has ended before this one began
                continue
            after, answer = specification.apply(state, one.call)
            fits = one.end is None or (type(one.answer) is type(answer) and one.answer == answer)
            if fits and found([other for other in left if other is not one], after, (*order, one)):
                return True
        return False

    whole = found(history.calls, specification.initial, ())
    return Linearization(longest, whole)
