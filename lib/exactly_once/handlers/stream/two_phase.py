"""The stream handler with two-phase commit between the engine's store and the database.

The database prepares the counter's row. The engine's store commits output, state and positions, with the id of the
prepared transaction: that is the decision. Then the database commits the prepared transaction, too. A process that
finds a transaction in doubt asks the engine's store for the decision. Source: J. Gray, "Notes on Data Base Operating
Systems", 1978, with one of the two as the coordinator, as in Flink's TwoPhaseCommitSinkFunction.

In `shared_decision` every node reads the decision, so any node may carry it out: the protocol does not block. With
the decision on several machines this is J. Gray and L. Lamport, "Consensus on Transaction Commit", ACM Transactions
on Database Systems 31(1), 2006.
"""

from ...lockfree.queue import EMPTY, cell
from ...log.log_errors import ProducerFenced
from ...node.program import OUTPUT, deployed_with
from ...node.world import DATABASE, QUEUES
from ...pipeline import Window
from .naive import at_least_once

DECISION = "decision"  # the register that holds what was decided last
LAST = "last"  # the cell in the database that names the last transaction: its version is the number of transactions
EPOCH = "epoch"  # the cell in the database that holds the newest process's epoch
FENCED = "A later incarnation has taken over: nothing was prepared."


@deployed_with(None, at_least_once, protocol=None, own=(("database", EPOCH),))
def two_phase(node):
    """Push the average of each hour's window; the counter's row takes part in the decision of the engine's store."""
    engine = node.engine()
    epoch = take_over(node, engine)
    finish(node, engine)
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        engine.begin()
        node.crash_point("A")
        engine.push(window.average())
        prepared = None
        if len(window) > node.threshold:
            node.crash_point("B")
            prepared = f"{engine.epoch}.{items[0].hour}"
            prepare(node, prepared, epoch)
        node.crash_point("C")
        engine.save_state(window)
        node.crash_point("D")
        engine.save_positions(next_positions)
        engine.commit(prepared)
        if prepared:
            node.database.commit_prepared(prepared)
        node.crash_point("E")
        positions = next_positions
    finish(node, engine)  # no process comes after this one


def take_over(node, engine):
    """Fence earlier processes in the engine's store, then in the database; return the version of its cell EPOCH."""
    engine.fence()
    version, newest = node.database.read(EPOCH)
    if (newest or 0) > engine.epoch or not node.database.cas(EPOCH, version, engine.epoch):
        raise ProducerFenced(FENCED)
    return version + 1


def prepare(node, identifier, epoch):
    """First phase: lock the counter's row, unless a later process has taken over."""
    if node.database.prepare(identifier, ("expect", EPOCH, epoch), ("add", "counter", 1)) is None:
        raise ProducerFenced(FENCED)


def finish(node, engine):
    """End transactions in doubt: commit the decided one, roll back those of earlier processes, leave later ones."""
    decided = engine.decided()
    for identifier in node.database.prepared():
        if identifier == decided:
            node.database.commit_prepared(identifier)
        elif int(identifier.partition(".")[0]) < engine.epoch:
            node.database.rollback_prepared(identifier)


@deployed_with(None, at_least_once, protocol=None, machine=(QUEUES, DECISION), own=((DATABASE, LAST),))
def shared_decision(node):
    """Do what `two_phase` does, on any number of nodes at once: each may prepare, decide, and carry a decision out.

    The register holds ["DECIDED", window, positions, how many values are in the output, how many transactions there
    were, the id of the last]; it is written in one transaction with the output, in one store.
    """
    store = node.store(QUEUES)
    while True:
        version, held = store.read(DECISION)
        _, window, positions, sent, counted, decided = held or ["DECIDED", Window(), node.start, 0, 0, None]
        if decided:
            node.database.commit_prepared(decided)  # by whomever: a second time nothing is left to commit
        if not node.running(positions):
            return
        items, following = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.crash_point("A")
        identifier = None
        if len(window) > node.threshold:
            node.crash_point("B")
            identifier = f"hour {items[0].hour}"
            if node.database.prepare(identifier, ("cas", LAST, counted, identifier), ("add", "counter", 1)) is None:
                continue  # it was decided and carried out meanwhile
            counted += 1
        node.crash_point("C")
        decision = ["DECIDED", window, following, sent + 1, counted, identifier]
        store.transact(("cas", DECISION, version, decision), ("cas", cell(OUTPUT, sent), EMPTY, window.average()))
        node.crash_point("D")
        if identifier:
            node.database.commit_prepared(identifier)
        node.crash_point("E")
