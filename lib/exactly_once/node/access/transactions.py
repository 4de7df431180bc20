"""Transactions as an incarnation sees them: each request of the producer or action of the coordinator is a step.

Three systems take part, which share nothing: the log's partitions, the coordinator's own log, the groups' offsets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ...errors import BadInput, OutcomeUnknown
from ...log.errors import ProducerFenced
from ...log.machine import refused
from ...log.transactions.abstract import FENCED
from ...log.transactions.abstract_machine import PART
from ...log.transactions.coordinator import Due
from ...log.transactions.machine import COORDINATOR_PART, OFFSETS_PART
from ...log.transactions.producer import OFFSETS_PARTITION, TransactionalProducer
from ...stores.codec import Value, describe
from ..life import Life
from ..source import LOG, Offsets
from ..world import COORDINATOR, OFFSETS
from .handles import append, fetch

if TYPE_CHECKING:
    from ..node import Node

OUTPUT, CHANGELOG = "output", "changelog"  # the partitions of the stream handler
GROUP = "streams"


class Transactions:
    """A node's access to transactions.

    - `producer(transactional_id)`: a `TransactionalProducer`; each of its requests is a step.
    - `positions()`: a step; the offsets that the group committed; waits while a transaction has some pending.
    - `state()`: a step; the newest state in the changelog that a read_committed reader sees.
    - `recover()`, `due(epoch)`, `write_marker(due, partition)`, `complete(due)`: steps of the coordinator.
    """

    def __init__(self, node: Node, life: Life) -> None:
        self._node, self._life = node, life

    def producer(self, transactional_id: str, timeout_ms: int = 60_000) -> TransactionalProducer:
        """Return a producer; no step."""
        return TransactionalProducer(StepRequests(self._node, self._life), transactional_id, timeout_ms)

    def positions(self, group: str = GROUP) -> Offsets:
        """Return the committed positions, the start's where there are none; waits while some are pending."""
        node, text = self._node, f"load the committed offsets of {group}"
        start, asked = node._source.start(), (OFFSETS, OFFSETS_PART, "committed_offsets", group)
        found = self._ask(*asked, list(start), name="transaction.positions", text=text)
        node._reader.at = start | found
        return dict(node._reader.at)

    def state(self) -> Value:
        """Return the newest committed state, or the source's first one."""
        records = fetch(self._life, CHANGELOG, 0, None, "transaction.state", "read_committed")
        self._node.state.loaded = records[-1].value if records else self._node._source.first_state()
        return self._node.state.loaded

    def recover(self) -> int:
        """Begin as the coordinator, from its log; return its epoch: earlier ones' markers are refused from now on."""
        text = "read the coordinator's log"
        return self._ask(COORDINATOR, COORDINATOR_PART, "recover", name="coordinator.recover", text=text)

    def due(self, epoch: int) -> Due | None:
        """Wait for a transaction that is decided and not complete, and return it; None when all producers ended.

        `epoch` is the coordinator's own. Raises `NotCoordinator` when another one has taken over.
        """
        programs = self._life.world.programs
        producers = [number for number, program in enumerate(programs, 1) if program.protocol]
        text = "wait for a decision"
        asked = COORDINATOR, COORDINATOR_PART, "due", epoch, producers
        found = self._ask(*asked, name="coordinator.due", text=text)
        if found is None:
            return None
        name, producer, marked, result, partitions, coordinator, rules = found
        return Due(name, producer, marked, result, tuple(partitions), coordinator, rules)

    def write_marker(self, due: Due, partition: str) -> None:
        """Write the marker of a decided transaction to one of its partitions."""
        text = f"{due.result} marker of {due.transactional_id} to {partition}"
        asked = due.producer, due.epoch, due.result, due.coordinator, due.rules
        if partition == OFFSETS_PARTITION:
            self._ask(OFFSETS, OFFSETS_PART, "offsets_marker", *asked, name="coordinator.marker", text=text)
        else:
            self._ask(LOG, partition, "marker", *asked, name="coordinator.marker", text=text)

    def complete(self, due: Due) -> None:
        """Note that all markers of a transaction are written."""
        text = f"{due.transactional_id} is complete"
        asked = due.transactional_id, due.producer, due.epoch, due.coordinator
        self._ask(COORDINATOR, COORDINATOR_PART, "complete", *asked, name="coordinator.complete", text=text)

    def _ask(self, store: str, part: str, verb: str, *arguments: Value, name: str, text: str) -> Any:
        life = self._life
        return refused(life.step(life.world.store(store), part, verb, *arguments, name=name, text=text))


class StepRequests:
    """A producer's requests as steps of an incarnation."""

    def __init__(self, node: Node, life: Life) -> None:
        self._node, self._life = node, life

    def init_producer(
        self, transactional_id: str, timeout_ms: int, producer: int | None, epoch: int | None
    ) -> tuple[int, int]:
        """A step on the coordinator's store."""
        asked = transactional_id, timeout_ms, producer, epoch
        return tuple(self._coordinator("init_producer", *asked, name="init", text=f"init {transactional_id}"))

    def settled(self, transactional_id: str) -> None:
        """A blocking step on the coordinator's store."""
        text = f"wait until {transactional_id} is complete"
        self._coordinator("settled", transactional_id, name="settled", text=text)

    def add_partitions(self, transactional_id: str, producer: int, epoch: int, partitions: list[str]) -> None:
        """A step on the coordinator's store."""
        asked = transactional_id, producer, epoch, partitions
        self._coordinator("add_partitions", *asked, name="add_partitions", text=f"add {', '.join(partitions)}")

    def append(self, partition: str, records: Iterable[Value], producer: int, epoch: int, sequence: int) -> int:
        """A step on the partition; behind a record are noted the inputs of the window, as `node.output.push` does."""
        life, fresh = self._life, self._life.inputs
        settings = {"producer": producer, "producer_epoch": epoch, "sequence": sequence, "transactional": True}
        life.inputs = life.world.program.source.inputs_of(self._node.state.loaded, fresh)
        try:
            return refused(append(life, life.step, partition, records, settings, "transaction.send"))["offset"]
        finally:
            life.inputs = fresh

    def commit_offsets(
        self, group: str, offsets: Mapping[str, int], producer: int, epoch: int, generation: int | None
    ) -> None:
        """A step on the groups' offsets."""
        settings = {"producer": producer, "producer_epoch": epoch}
        if generation is not None:
            settings["generation"] = generation
        life, text = self._life, f"send offsets {describe(dict(offsets))}"
        refused(
            life.step(
                life.world.store(OFFSETS), OFFSETS_PART, "commit_offsets", group, dict(offsets), settings,
                name="transaction.offsets", text=text,
            )
        )  # fmt: skip

    def end(self, transactional_id: str, producer: int, epoch: int, result: str) -> tuple[int, int]:
        """A step on the coordinator's store."""
        asked = transactional_id, producer, epoch, result
        return tuple(self._coordinator("end_transaction", *asked, name="end", text=f"{result} {transactional_id}"))

    def _coordinator(self, verb: str, *arguments: Value, name: str, text: str) -> Any:
        life, name = self._life, f"transaction.{name}"
        return refused(
            life.step(life.world.store(COORDINATOR), COORDINATOR_PART, verb, *arguments, name=name, text=text)
        )


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


ABSTRACT = "transactions"  # the store


class AbstractTransactions:
    """A node's transactions where the abstract store replaces the protocol. See `Transactions`."""

    def __init__(self, node: Node, life: Life) -> None:
        self._node, self._life = node, life
        self._producer: AbstractProducer | None = None

    def producer(self, transactional_id: str, timeout_ms: int = 60_000) -> AbstractProducer:
        """Return a producer; no step."""
        self._producer = AbstractProducer(self._node, self._life)
        return self._producer

    def positions(self, group: str = "") -> Offsets:
        """Return the committed positions; a step, and a choice for a fenced incarnation: they may be old."""
        last = self._last("positions")
        self._node._reader.at = last["positions"] if last else self._node._source.start()
        return dict(self._node._reader.at)

    def state(self) -> Value:
        """Return the committed state; a step, and a choice for a fenced incarnation: it may be old."""
        last = self._last("state")
        self._node.state.loaded = last["changelog"] if last else self._node._source.first_state()
        return self._node.state.loaded

    def _last(self, what: str) -> Any:
        life, who = self._life, self._producer and self._producer.who
        found = life.step(
            life.world.store(ABSTRACT), PART, "may_load", who, name=f"transaction.{what}",
            text=f"load the committed {what}",
        )  # fmt: skip
        return life.choose(found, f"how old the {what} are") if found[1:] else found[0]


class AbstractProducer:
    """A producer whose transaction is a dictionary until it is committed, in one step."""

    def __init__(self, node: Node, life: Life) -> None:
        self._node, self._life = node, life
        self.who: int | None = None
        self._transaction: dict[str, Value] = {}

    def init_transactions(self) -> None:
        """Fence all before; a step."""
        self.who = self._insist("let_in", name="transaction.init", text="init")

    def begin_transaction(self) -> None:
        """Begin; no step."""
        self._transaction = {}

    def send(self, partition: str, records: Iterable[Value]) -> None:
        """Put records into the transaction; no step."""
        *_, self._transaction[partition] = records

    def send_offsets_to_transaction(
        self, offsets: Mapping[str, int], group: str, generation: int | None = None
    ) -> None:
        """Put positions into the transaction; no step."""
        self._transaction["positions"] = dict(offsets)

    def commit_transaction(self) -> None:
        """Commit; a step. Raises `ProducerFenced`."""
        life, fresh = self._life, self._life.inputs
        life.inputs = life.world.program.source.inputs_of(self._node.state.loaded, fresh)
        try:
            answer = self._insist("commit_whole", self.who, self._transaction, name="transaction.end", text="commit")
        finally:
            life.inputs = fresh
        if answer == FENCED:
            raise ProducerFenced(
                "Another incarnation was let in after this one: nothing of the transaction was committed."
            )

    def _insist(self, verb: str, *arguments: Value, name: str, text: str) -> Any:
        life = self._life
        while True:
            try:
                return life.step(life.world.store(ABSTRACT), PART, verb, *arguments, name=name, text=text)
            except OutcomeUnknown:
                continue
