"""Transactions as an incarnation sees them: each request of the producer or action of the coordinator is a step.

Three systems take part, which share nothing: the log's partitions, the coordinator's own log, the groups' offsets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ...log.machine import refused
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
