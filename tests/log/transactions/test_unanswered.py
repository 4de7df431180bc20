"""Producers without an answer in time, and operators that end a hanging transaction."""

import pytest

from exactly_once import OutcomeUnknown
from exactly_once.log import LogRequests, log_errors

from ..opened import values

SOON = {"max_block_ms": 30}
COMMITTED = {"isolation": "read_committed"}


class Unheard(LogRequests):
    """Requests of which those named in `lost` arrive, while their answers do not."""

    def __init__(self, log, *lost):
        super().__init__(log)
        self.lost = lost

    def __getattribute__(self, name):
        found = super().__getattribute__(name)
        if name == "lost" or name not in self.lost:
            return found

        def unheard(*asked):
            found(*asked)
            raise OutcomeUnknown("Nobody answered.")

        return unheard


@pytest.fixture(params=[1, 2])
def log(opened, request):
    log = opened(1)
    log.create_topic("t")
    log.coordinator(request.param)
    return log


def begun(log, name="tx", **settings):
    producer = log.transactional_producer(name, **(SOON | settings))
    producer.init_transactions()
    producer.begin_transaction()
    producer.send("t-0", ["a"])
    return producer


@pytest.mark.parametrize("result", ["commit", "abort"])
@pytest.mark.parametrize("arrives", [True, False])
def test_an_end_that_timed_out_is_called_again_and_nothing_else(log, result, arrives):
    producer = begun(log)
    call, other = (f"{one}_transaction" for one in (result, "abort" if result == "commit" else "commit"))
    producer.requests = Unheard(log, "end")
    if not arrives:
        log.kill(0)
    for _ in range(2):
        with pytest.raises(log_errors.TimedOut, match=rf"no answer for 30 ms.*Call {call}\(\) again"):
            getattr(producer, call)()
        with pytest.raises(
            log_errors.IllegalState, match=rf"{other}\(\) was called, and {call}\(\) timed out before"
        ):
            getattr(producer, other)()
        for refused in (producer.begin_transaction, lambda: producer.send("t-0", ["b"])):
            with pytest.raises(log_errors.IllegalState, match=f"{call}.. timed out before"):
                refused()
    if not arrives:
        log.revive(0)
    producer.requests = LogRequests(log)
    getattr(producer, call)()
    assert values(log, **COMMITTED) == ["a"] * (result == "commit")
    producer.begin_transaction()
    producer.send("t-0", ["b"])
    producer.commit_transaction()
    assert values(log, **COMMITTED)[-1] == "b"


def test_init_that_timed_out_is_called_again(log):
    producer = log.transactional_producer("tx", **SOON)
    log.kill(0)
    with pytest.raises(log_errors.TimedOut, match=r"Call init_transactions\(\) again"):
        producer.init_transactions()
    with pytest.raises(log_errors.IllegalState):
        producer.begin_transaction()
    log.revive(0)
    producer.init_transactions()
    producer.begin_transaction()


def test_after_a_send_that_timed_out_the_transaction_is_aborted(log):
    """KAFKA-18579: the records may be there, and what an application sends again is another record."""
    producer = begun(log)
    producer.requests = Unheard(log, "append")
    with pytest.raises(log_errors.TimedOut, match="Abort the transaction"):
        producer.send("t-0", ["b"])
    assert values(log) == ["a", "b"]
    for call in (lambda: producer.send("t-0", ["b"]), producer.commit_transaction):
        with pytest.raises(log_errors.TimedOut):
            call()
    producer.abort_transaction()
    producer.begin_transaction()
    producer.requests = LogRequests(log)
    producer.send("t-0", ["c"])
    producer.commit_transaction()
    assert values(log, **COMMITTED) == ["c"]


@pytest.mark.parametrize(("protocol", "told"), [(1, log_errors.ProducerFenced), (2, log_errors.InvalidTxnState)])
def test_what_a_producer_is_told_whose_time_was_over_while_nobody_else_was_there(opened, clock, protocol, told):
    log = opened(1)
    log.create_topic("t")
    log.coordinator(protocol)
    producer = begun(log)
    clock.now += 70_000
    assert log.tend_transactions() == ["tx"]
    with pytest.raises(told):
        producer.commit_transaction()
    assert producer.state == "FATAL_ERROR"
    again = begun(log)
    again.commit_transaction()
    assert values(log, **COMMITTED) == ["a"]


# What nobody ends

MINUTES_16 = 16 * 60_000


@pytest.fixture
def hanging(opened, clock):
    """A record that came after its transaction's abort marker, where leaders do not ask (before 3.6)."""
    log = opened(1)
    log.create_topic("t")
    log.coordinator(1, verification=False)
    producer = begun(log)
    late = producer.producer, producer.epoch, 1
    producer.abort_transaction()
    log.append("t", 0, ["late"], "all", *late, transactional=True)
    log.append("t", 0, ["plain"])
    return log


def test_a_hanging_transaction_is_found_and_ended_by_an_operator(hanging, clock):
    log = hanging
    assert values(log, **COMMITTED) == []
    assert (log.last_stable("t", 0), log.high_watermark("t", 0)) == (2, 4)
    assert log.find_hanging() == [], "it may still be going on"
    clock.now += MINUTES_16
    assert log.tend_transactions() == [], "its coordinator knows nothing of it"
    (found,) = log.find_hanging()
    assert (found.topic, found.partition, found.start, found.idle_ms) == ("t", 0, 2, MINUTES_16)
    log.abort_hanging(found.topic, found.partition, found.start)
    assert log.find_hanging() == []
    assert log.last_stable("t", 0) == log.high_watermark("t", 0) == 5
    for one in (log, log.reopened()):
        assert values(one, **COMMITTED) == ["plain"]
    begun(log).commit_transaction()
    assert values(log, **COMMITTED) == ["plain", "a"]


def test_what_the_coordinator_will_end_is_not_hanging(opened, clock):
    log = opened(1)
    log.create_topic("t")
    log.coordinator(2, max_timeout_ms=3_600_000)
    producer = begun(log, timeout_ms=3_600_000)
    clock.now += MINUTES_16
    assert log.find_hanging() == [], "it is open, and its time is not over"
    log.transactions.end("tx", producer.producer, producer.epoch, "commit")
    assert log.find_hanging() == [], "it is decided"
    log.write_due_markers()
    assert log.find_hanging(0) == []
