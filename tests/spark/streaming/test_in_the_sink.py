"""Tasks of a streaming query that die in the sink's write, or have copies there: what readers then find."""

import pytest

from exactly_once.spark import cluster, kill_in_the_sink
from exactly_once.spark.cluster.settings import HOSTS, owns
from exactly_once.spark.streaming.tasks.in_the_sink import RETRYING

pytestmark = [pytest.mark.cluster, pytest.mark.usefixtures("shared_cluster")]
FIRST = (3, "seattle")  # the row that the task has written when it meets the fault


def test_a_retry_writes_again():
    plain = kill_in_the_sink("as it goes", "worker")
    assert (plain.doubled, plain.lost, plain.failed) == ([FIRST], [], "")
    died = [call for call in plain.calls if call.what == "killed"]
    again = [call for call in plain.calls if call.batch == 1 and call.attempt == 1]
    assert [call.batch for call in died] == [1]
    assert [(call.what, call.partition) for call in again] == [
        (what, died[0].partition) for what in ("write", "wrote")
    ]
    assert kill_in_the_sink("foreach", "worker").doubled == [FIRST]
    message = kill_in_the_sink("by message", "worker")
    assert (message.doubled, message.lost, message.orphans) == ([], [], 1)
    ends = [
        (call.what, call.batch, call.partition, call.attempt)
        for call in message.calls
        if call.what in ("commit", "abort")
    ]
    assert ends == [("commit", batch, 2, 0) for batch in range(3)]


def test_too_many_failures():
    plain = kill_in_the_sink("as it goes", "worker", times=4)
    assert plain.failed.startswith("The query failed: task ")
    assert plain.failed.endswith("failed 4 times, the last time so: Python worker exited unexpectedly (crashed).")
    assert plain.rows["hour"].tolist().count(3) == 2 + 4  # four first rows, and the two of the restart
    assert plain.rows_then >= 4
    message = kill_in_the_sink("by message", "worker", times=4)
    assert (message.doubled, message.lost, message.rows_then, message.orphans) == ([], [], 0, 4)
    (aborted,) = [call for call in message.calls if call.what == "abort"]
    assert (aborted.batch, aborted.partition) == (1, 2)
    assert aborted.attempt >= 1  # the message of the task that failed is None


def test_an_executor_dies():
    assert kill_in_the_sink("as it goes", "executor").doubled == [FIRST]
    message = kill_in_the_sink("by message", "executor")
    assert (message.doubled, message.lost) == ([], [])


@pytest.mark.skipif(not all(map(owns, HOSTS)), reason="needs two hosts on loopback")
def test_spark_starts_a_copy():
    plain = kill_in_the_sink("as it goes", "copy")
    assert {FIRST, (3, "san_francisco")} <= set(plain.doubled)
    assert (plain.late > 0, plain.lost) == (True, [])
    copied = [call for call in plain.calls if call.batch == 1 and call.what == "wrote"]
    assert len({(call.attempt, call.host) for call in copied}) >= 2


@pytest.mark.slow
@pytest.mark.timeout(1500)
@pytest.mark.parametrize(("fault", "times", "rounds"), [("worker", 3, 12), ("executor", 1, 6)])
@pytest.mark.parametrize("sink", ["as it goes", "by message"])
def test_many_kills(sink, fault, times, rounds):
    spark = cluster(RETRYING) if fault == "worker" else cluster(slots=2)
    for _ in range(rounds):
        run = kill_in_the_sink(sink, fault, times, spark=spark)
        assert sum(call.what == "killed" for call in run.calls) == times
        assert (run.lost, run.failed) == ([], "")
        assert len(run.rows) == 12 + (times if sink == "as it goes" else 0)
