"""Is there an order of concurrent calls that explains their answers? A search over a sequential specification.

A history is linearizable if each call can have taken place at one moment between its invocation and its response, so
that the answers are those of the same calls one after the other: M. Herlihy and J. Wing, "Linearizability: A
Correctness Condition for Concurrent Objects", TOPLAS 12(3), 1990. The search is that of J. Wing and C. Gong, "Testing
and Verifying Concurrent Objects", Journal of Parallel and Distributed Computing 17, 1993; as in G. Lowe, "Testing for
Linearizability", Concurrency and Computation 29(4), 2017, it leaves out what it has met: the same calls that are
left, in the same state. The testers of stateright and of porcupine are built like this.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from ..errors import BadInput


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


def is_linearizable(history: History, initial: Any, apply: Callable[[Any, Any], tuple[Any, Any]]) -> bool:
    """Tell whether an order of the calls explains their answers: all that have one, and others where they are needed.

    `apply(state, call)` returns the state after a call, and the answer that one process alone gets; `initial` is the
    first state. States can be hashed.
    """
    met, waiting = set(), [(frozenset(history.calls), initial)]
    while waiting:
        left, state = waiting.pop()
        ends = [one.end for one in left if one.end is not None]
        if not ends:
            return True
        if (left, state) in met:
            continue
        met.add((left, state))
        first_end = min(ends)
        for one in left:
            if one.begin < first_end:  # else a call that is left had ended before this one began
                after, answer = apply(state, one.call)
                if one.end is None or (type(one.answer) is type(answer) and one.answer == answer):
                    waiting.append((left - {one}, after))
    return False
