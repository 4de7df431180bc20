"""The log decides of a transaction that is prepared elsewhere: its id is a record of the log's transaction."""

import pytest

from exactly_once.log import open_log
from exactly_once.stores import MemoryStore

NAME, PREPARED = "averages", "0.3"


def newest(log):
    found = log.fetch("decided", 0, 0, isolation="read_committed")
    return found[-1].value if found else None


def hour(log, database):
    producer, epoch = log.transactions.init_producer(NAME)
    database.do("prepared", "prepare", PREPARED, [["counter", "add", 1]])
    yield "prepared"
    log.transactions.add_partitions(NAME, producer, epoch, ["output-0", "decided-0"])
    me = {"producer": producer, "producer_epoch": epoch, "sequence": 0, "transactional": True}
    for topic, value in {"output": "hour 3", "decided": PREPARED}.items():
        log.append(topic, 0, [value], **me)
    yield "written"
    log.transactions.end(NAME, producer, epoch, "commit")
    yield "PrepareCommit"


@pytest.mark.parametrize("protocol", [1, 2])
@pytest.mark.parametrize(("last", "decided"), [("prepared", None), ("written", None), ("PrepareCommit", PREPARED)])
def test_the_next_life_ends_what_is_in_doubt_as_the_log_decided(last, decided, protocol):
    """Everybody dies after a step: the decision can be read once init has waited for the markers, and not before."""
    database, log = MemoryStore("database"), open_log("memory:")
    log.coordinator(protocol)
    for topic in ("output", "decided"):
        log.create_topic(topic)
    for step in hour(log, database):
        if step == last:
            break
    log = log.reopened()
    assert newest(log) is None
    log.transactional_producer(NAME).init_transactions()
    assert newest(log) == decided
    for identifier in database.look("prepared", "prepared"):
        end = "commit" if identifier == decided else "rollback"
        database.do("prepared", f"{end}_prepared", identifier)
    seen = [record.value for record in log.fetch("output", 0, 0, isolation="read_committed")]
    assert (len(seen), database.look("counter", "table")) == ((1, 1) if decided else (0, 0))
