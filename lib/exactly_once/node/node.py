"""The node: the complete interface of a handler; and the transactions that it gives.

Each request of a transaction's producer, and each action of the coordinator, is a step. Three systems take part,
which share nothing: the log's partitions, the coordinator's own log, the groups' offsets.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from ..errors import BadInput, OutcomeUnknown, one_of, whole
from ..faults import POINTS, Point
from ..log.log_errors import ProducerFenced
from ..log.partition_machine import refused
from ..log.transactions.abstract import FENCED
from ..log.transactions.abstract_machine import PART
from ..log.transactions.coordinator import Due
from ..log.transactions.coordinator_machine import COORDINATOR_PART, OFFSETS_PART
from ..log.transactions.producer import OFFSETS_PARTITION, TransactionalProducer
from ..stores.codec import Value, describe
from .access import Database, Lock, LogHandle, Registers, StoreHandle, append, fetch, inbox_of
from .source import LOG, Offsets, Partition, Source
from .world import COORDINATOR, OFFSETS, Chosen, Life

Handler: TypeAlias = Callable[["Node"], None]


class Node:
    """One incarnation of a handler, as the handler sees it. This is the complete list of a handler's means.

    A handler is a function of one argument, the node: plain, blocking Python, called again from its start for the
    next incarnation. A value that it keeps outside these stores is lost with the incarnation.

    - `duration`, `threshold`, where the source is a `Job`: the window's length in hours, and the count above which
      the counter moves. No steps.
    - `start`: the positions before the first item. No step.
    - `number`, `nodes`: which node this is, from 1 on, and how many run. No steps.
    - `running()`: False once the inputs have ended or the run was stopped. No step. `running(positions)` asks about
      these positions instead of those that this incarnation loaded or read to.
    - `read(positions)`: a step. Returns (items, next_positions): the next hour's readings of both streams (or, when
      inputs arrive as they come, the next reading of one stream), and the positions after them. When there is nothing
      left to read the incarnation ends there, in good order. Where the source is a partition, `read` waits for a
      record; when all that write to it have ended and all is read, it returns no items once, and `running()` is False
      from then on. `read(positions, until)` returns what lies between, which was read at once before; the source is
      a `Job`.
    - `concerning(item, state)`: no step; the next steps belong to this item, even if another node has read it.
    - `positions.load()`, `positions.save(positions)`: steps on the engine's store. `load` gives offset 0 in each
      stream when nothing was saved.
    - `state.load()`, `state.save(value)`: steps on the engine's store. `load` gives an empty `Window` at first.
    - `output.push(value)`: a step; appends to the output: a log in the engine's store, or a partition of the log,
      where `output.push(value, key)` gives the record a key. `output.read(offset)`: a step; the values from an offset
      on.
    - `registers.read(name)`, `registers.cas(name, expected_version, value)`: steps on versioned cells of the engine's
      store, by any name. `read` returns (version, value), (0, None) for a register that nothing was written to. `cas`
      writes the value if the version is still the expected one, which makes it one higher, and returns whether it
      did. `registers.cas_value(name, expected, value)` compares the value instead.
    - `database.increment()`: a step; adds one to the counter in the database, which is another system;
      `database.increment(key)` to the counter of a key there. The database has all methods of `store(name)`, too.
    - `store(name)`: a store of that name, which shares nothing with any other; see `StoreHandle`. Its operations are
      steps on parts, named as you like: `read`, `write`, `cas`, `append`, `scan`, `add`, `total`; and
      `transact(operations)`, which carries out several on parts of this one store, all of them or none; `prepare`,
      `prepared`, `commit_prepared` and `rollback_prepared`, a participant's part in two-phase commit.
    - `engine()`: writes output, state, positions and messages to the engine's store in one transaction; see
      `EngineTransactions`. No step by itself.
    - `log`: the partitioned log; see `LogHandle`. `append`, `fetch`, `commit`, `committed`, `producer_id`, `broker`
      are steps; `send` does not wait for its acknowledgement, which `acknowledgement()` gives.
    - `transactions`: transactions over several partitions, and the coordinator's part in them; see `Transactions`.
    - `crash_point(letter)`: a step that does nothing, where a fault can strike; A, B, C, D or E.
    - `choose(options)`: a step; the world picks one of the options, and every choice is one that an explorer may
      make.
    - `now()`: a step like `choose`; the hour that the node's clock shows, a whole number from 1 on. It is not before
      the hours that the positions have passed, nor after the inputs' last, and never goes back within an incarnation;
      every such hour is one that an explorer may show. The clocks of two incarnations need not agree.
    - `send(to, message)`: a step; sends any value that a store keeps to the node number `to`, be it this one.
      Messages wait in the engine's store; those from one node to another are received in the order in which they were
      sent.
    - `receive()`: a blocking step; waits for a message to this node, and returns (sender, message). Of messages of
      several senders any may come first. `receive(sender)` waits for one of that node. A message belongs to the node:
      it waits for the next incarnation when this one dies, and is gone once it is received, even if the reply is
      lost.
    - `lock(name)`: a lock of that name in the engine's store, to be used as `with node.lock("name"):`, or by
      `acquire()`, a blocking step, and `release()`, a step. No step by itself. `acquire` waits while another
      incarnation holds the lock, and does nothing if this one does. `release` returns whether this incarnation held
      it. A lock belongs to an incarnation, as to a session of a database: it is released when the incarnation ends,
      gives up or dies. An incarnation that sleeps keeps it.

    A blocking step takes place only when it can. A crash, a pause and a lost request can strike while it waits. When
    all nodes that have not ended wait, that is a deadlock.

    Any step on a store may raise `OutcomeUnknown`: the operation may have been done or not. A handler that lets it
    pass gives up its incarnation, and the next one takes over.
    """

    def __init__(self, life: Life) -> None:
        self._life = life
        self._source = life.world.program.source
        self._reader = life.reader = self._source.reader(life)
        self._hour = 1
        for name, value in self._source.settings().items():
            setattr(self, name, value)
        self.positions = Positions(self)
        self.state = State(life)
        self.output = Output(life, self.state)
        self.registers = Registers(life)
        self.database = Database(life)
        self.log = LogHandle(life)

    @functools.cached_property
    def transactions(self) -> AbstractTransactions | Transactions:
        """The transactions over several partitions."""
        abstract = self._life.world.program.protocol == "abstract"
        return AbstractTransactions(self, self._life) if abstract else Transactions(self, self._life)

    @property
    def start(self) -> Offsets:
        """The positions before the first item, as a dictionary of its own."""
        return self._source.start()

    def running(self, positions: Offsets | None = None) -> bool:
        """Tell whether there may be more to do after `positions`, or where this incarnation is.

        Raises `BadInput` for positions of another form.
        """
        at = None if positions is None else checked(positions, self._source.start())
        return self._reader.running(at) and not self._life.world.stopped()

    def read(self, positions: Offsets, until: Offsets | None = None) -> tuple[list[Any], Offsets]:
        """Return the items at `positions`, and the positions after them, which are `until` if that is given.

        Raises `BadInput` for positions of another form, and where the source cannot read until given positions.
        """
        start = self._source.start()
        if until is None:
            return self._reader.read(checked(positions, start))
        return self._reader.read_again(checked(positions, start), checked(until, start))

    def concerning(self, item: int | None, state: Value) -> None:
        """Declare that the next steps belong to this item, even if another node has read it; no step.

        So a fault at an item, and the trace, find the steps that a lock-free handler takes for another node. `state`
        is the state after the item.
        """
        life = self._life
        fresh = () if item != life.item else life.inputs
        life.item, life.inputs = item, self._source.inputs_of(state, fresh)

    @property
    def source(self) -> Source:
        """Where the inputs come from."""
        return self._source

    @property
    def number(self) -> int:
        """This node's number, from 1 on."""
        return self._life.world.number

    @property
    def nodes(self) -> int:
        """How many nodes run."""
        return self._life.world.nodes

    def send(self, to: int, message: Value) -> None:
        """Send a message to the node number `to`. Raises `BadInput` for another number, or no value of a store."""
        whole("the receiver of a message", to, least=1, most=self.nodes)
        text = f"send to node {to}: {describe(message)}"
        life = self._life  # and no local variable for the engine: an explorer cannot tell what such a store holds
        life.step(life.world.engine, inbox_of(to), "put", self.number, message, name="message.send", text=text)

    def receive(self, sender: int | None = None) -> tuple[int, Value]:
        """Wait for a message, of the node number `sender` if that is given, and return (sender, message).

        Raises `BadInput` for a value that is no number of a node.
        """
        if sender is not None:
            whole("the sender of a message", sender, least=1, most=self.nodes)
        text = "receive" if sender is None else f"receive from node {sender}"
        life = self._life
        return tuple(
            life.step(life.world.engine, inbox_of(self.number), "take", sender, name="message.receive", text=text)
        )

    def engine(self) -> EngineTransactions:
        """Return the `EngineTransactions`, which write to the engine's store in transactions; no step."""
        return EngineTransactions(self, self._life)

    def lock(self, name: str) -> Lock:
        """Return the `Lock` of a name. Raises `BadInput` for a name that is not text."""
        return Lock(self._life, name)

    def crash_point(self, letter: Point) -> None:
        """Pass the crash point `letter`. Raises `BadInput` for any but A to E."""
        self._life.crash_point(one_of("a crash point", letter, POINTS))

    def choose(self, options: Iterable[Chosen]) -> Chosen:
        """Return one of `options`, picked by the world. Raises `BadInput` when there is none."""
        options = list(options)
        if not options:
            raise BadInput("node.choose was given no options; give it at least one.")
        chosen = self._life.choose(options)
        del options  # an explorer tells two places apart by what is needed later, and by this
        return chosen

    def now(self) -> int:
        """Return the hour that this node's clock shows: its processing time, where the items' own is event time."""
        first, last = self._reader.now(self._hour)
        self._hour = self._life.choose(range(first, last + 1), "the clock shows hour")
        return self._hour

    def store(self, name: str) -> StoreHandle:
        """Return the `StoreHandle` of a store of any name, which shares nothing with the others.

        Raises `BadInput` for a name that is not text, and for the engine, the database and the log.
        """
        return StoreHandle(self._life, name)


class Positions:
    """The positions in the engine's store: for each stream, the offset of the next record to read."""

    def __init__(self, node: Node) -> None:
        self._node = node

    def load(self) -> Offsets:
        """Return the saved positions."""
        node, life = self._node, self._node._life
        part = life.world.program.part("positions")
        _, saved = life.step(life.world.engine, part, "read", name="positions.load", text="load positions")
        node._reader.at = saved or node._source.start()
        return dict(node._reader.at)

    def save(self, positions: Offsets) -> None:
        """Save positions. Raises `BadInput` for positions of another form."""
        life = self._node._life
        positions = checked(positions, self._node._source.start())
        part = life.world.program.part("positions")
        life.step(life.world.engine, part, "write", positions, name="positions.save", text="save positions")


class State:
    """The handler's state in the engine's store: a `Window`, or any value that a store can keep."""

    def __init__(self, life: Life) -> None:
        self._life = life
        self.loaded: Value = None

    def load(self) -> Value:
        """Return the saved state."""
        life = self._life
        part = life.world.program.part("state")
        version, saved = life.step(life.world.engine, part, "read", name="state.load", text="load state")
        self.loaded = saved if version else life.world.program.source.first_state()
        return self.loaded

    def save(self, state: Value) -> None:
        """Save the state."""
        life = self._life
        part = life.world.program.part("state")
        life.step(life.world.engine, part, "write", state, name="state.save", text="save state")


class Output:
    """The node's output: a log in the engine's store, or a partition."""

    def __init__(self, life: Life, state: State) -> None:
        self._life = life
        self._state = state

    def push(self, value: Value, key: Value = None) -> None:
        """Append a value; with a key, if it goes to a partition. Returns nothing.

        The inputs behind it are noted beside it, out of the handler's sight: the readings of the window that
        `state.load` gave, or those last read if the handler computes with something else.
        """
        life = self._life
        output, fresh = life.world.program.output, life.inputs
        life.inputs = life.world.program.source.inputs_of(self._state.loaded, fresh)
        try:
            if isinstance(output, Partition):
                append(life, life.step, output.name, [(key, value)], {"acks": output.acks}, "output.push")
            else:
                text = f"push {describe(value)}"
                life.step(life.world.engine, output, "append", value, name="output.push", text=text)
        finally:
            life.inputs = fresh

    def read(self, offset: int = 0) -> list[Value]:
        """Return the values of the output from `offset` on; a step. Of a partition they are its records' values."""
        life = self._life
        output, text = life.world.program.output, "read the output"
        if isinstance(output, Partition):
            return [record.value for record in fetch(life, output.name, offset, None, "output.read")]
        return life.step(
            life.world.engine, output, "scan", whole("the offset", offset), name="output.read", text=text
        )


def checked(positions: Offsets, streams: Iterable[str]) -> Offsets:
    """Return positions as a new dictionary. Raises `BadInput` unless they give each stream an offset."""
    if not isinstance(positions, dict) or set(positions) != set(streams):
        raise BadInput(
            f"Positions are {positions!r}; they map each of {', '.join(streams)} to the offset of its next record."
        )
    for stream, offset in positions.items():
        whole(f"the position in {stream}", offset)
    return {stream: positions[stream] for stream in streams}


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
        """Commit; a step. Raises `ProducerFenced`, and `BadInput` for a transaction that lacks something."""
        if missing := {"output", "changelog", "positions"} - {*self._transaction}:
            raise BadInput(
                f"The transaction lacks {' and '.join(sorted(missing))}; the abstract store keeps whole ones only."
            )
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
