"""Output, state, positions and messages in one transaction of the engine's store, which holds them all.

Where output and position are in the same store, no protocol is needed: one transaction writes both, and the version
of the positions tells an incarnation that another one has taken over. Source: Kafka's documentation, section "Message
Delivery Semantics", on storing the position in the same place as the output.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import BadInput
from ...log.errors import ProducerFenced
from ...stores.codec import Value, describe
from ..life import Life
from ..source import Offsets

if TYPE_CHECKING:
    from ..node import Node

DECIDED = "decided"  # the cell that holds the id of the newest committed transaction's participant elsewhere


class EngineTransactions:
    """Transactions of the engine's store. The writes within one are kept here, and are one step when it commits.

    An incarnation calls `fence()` before it loads anything: from then on, every commit of an earlier one is refused.
    `epoch` is the number that `fence` gave, larger than any earlier incarnation's.
    """

    def __init__(self, node: Node, life: Life) -> None:
        self._node, self._life = node, life
        self.epoch = self._version = 0
        self._writes: list[list[Value]] = []

    def fence(self) -> int:
        """Take over from all earlier incarnations, and return this incarnation's epoch; a step."""
        life, part = self._life, self._life.world.program.part("positions")
        self.epoch = self._version = life.step(
            life.world.engine, part, "fence", name="engine.fence", text="fence earlier incarnations"
        )
        return self.epoch

    def begin(self) -> None:
        """Begin a transaction; no step."""
        self._writes = []

    def push(self, value: Value) -> None:
        """Append a value to the output; no step until `commit`."""
        self._writes.append([self._life.world.program.output, "append", value])

    def send(self, message: Value) -> None:
        """Put a message into the queue that the next node reads; no step until `commit`.

        Raises `BadInput` for a program without a queue.
        """
        if self._life.world.program.queue is None:
            raise BadInput("This program has no queue to send to; give it one: Program(…, queue='increments').")
        self._writes.append([self._life.world.program.queue, "enqueue", message])

    def save_state(self, state: Value) -> None:
        """Write the state; no step until `commit`."""
        self._writes.append([self._life.world.program.part("state"), "write", state])

    def save_positions(self, positions: Offsets) -> None:
        """Write the positions; no step until `commit`."""
        part = self._life.world.program.part("positions")
        self._writes.append([part, "cas", self._version, dict(positions)])

    def commit(self, decided: str | None = None) -> None:
        """Commit all that was written since `begin`; a step.

        `decided` is the id of a transaction prepared in another store, which is committed by this same step: a node
        that finds it in doubt reads it with `decided()`. Raises `ProducerFenced` when a later incarnation has taken
        over, and `BadInput` for a transaction without positions, since they tell whether one has.
        """
        if all(verb != "cas" for _, verb, *_ in self._writes):
            raise BadInput("A transaction of the engine saves positions: by them it knows whether it is fenced.")
        life, fresh = self._life, self._life.inputs
        writes = self._writes + ([] if decided is None else [[DECIDED, "write", decided]])
        said = ", ".join(describe(one[-1]) for one in writes)
        life.inputs = life.world.program.source.inputs_of(self._node.state.loaded, fresh)
        try:
            done = life.step(
                life.world.engine, writes[0][0], "transact", writes, name="engine.commit", text=f"commit {said}"
            )
        finally:
            life.inputs = fresh
        if done is None:
            raise ProducerFenced("A later incarnation has taken over: nothing of this transaction was committed.")
        self._version += 1

    def decided(self) -> str | None:
        """Return the id that the newest transaction with one has committed, or None; a step."""
        life = self._life
        return life.step(life.world.engine, DECIDED, "read", name="engine.decided", text="read what was decided")[1]
