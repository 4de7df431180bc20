"""Tasks of a streaming query that die in the sink's write: what readers then find."""

import pytest

from exactly_once.spark import kill_in_the_sink, stop_cluster

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster]
FIRST = (3, "seattle")  # the row that the task has written when it is killed


@pytest.fixture(scope="module", autouse=True)
def after(shared_cluster):
    """These tests have a master without executors; those that come next start their cluster anew."""
    yield
    stop_cluster()


@pytest.mark.slow
def test_a_retry_writes_again():
    plain = kill_in_the_sink("as it goes")
    assert (plain.doubled, plain.lost) == ([FIRST], [])
    died = [call for call in plain.calls if call.what == "killed"]
    again = [call for call in plain.calls if call.batch == 1 and call.attempt == 1]
    assert [call.batch for call in died] == [1]
    assert [(call.what, call.partition) for call in again] == [
        (what, died[0].partition) for what in ("write", "wrote")
    ]
    assert kill_in_the_sink("foreach").doubled == [FIRST]
    message = kill_in_the_sink("by message")
    assert (message.doubled, message.lost, message.orphans) == ([], [], 1)
    ends = [
        (call.what, call.batch, call.partition, call.attempt)
        for call in message.calls
        if call.what in ("commit", "abort")
    ]
    assert ends == [("commit", batch, 2, 0) for batch in range(3)]
