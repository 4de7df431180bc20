"""Transactions over the abstract store, by the same calls: for proofs in which a commit is one step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ...errors import OutcomeUnknown
from ...log.errors import ProducerFenced
from ...log.transactions.abstract import FENCED
from ...log.transactions.abstract_machine import PART
from ...stores.codec import Value
from ..life import Life
from ..source import Offsets

if TYPE_CHECKING:
    from ..node import Node

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
