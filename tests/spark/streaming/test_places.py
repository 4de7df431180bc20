"""Where a driver can be told to die, and what the sinks do with a replayed batch."""

from types import SimpleNamespace

import pytest

from exactly_once.errors import BadInput
from exactly_once.spark import kill_in_the_sink, run_query
from exactly_once.spark.streaming.driver.places import Mark, leave, marks_in
from exactly_once.spark.streaming.driver.query import checked_kills
from exactly_once.spark.streaming.sinks import SINKS, Database


@pytest.mark.parametrize("kill", [[], None, [*((letter, 0) for letter in "ABCDE"), ("A", 1)], [["D", 2]] * 9])
def test_a_driver_can_die_there(kill):
    assert checked_kills(kill, 3) == [tuple(one) for one in kill or []]


@pytest.mark.parametrize(
    ("kill", "words"),
    [
        ([("D", 2), ("D", 1)], r"\('D', 1\).*begins with B of batch 2"),
        ([("B", 1), ("A", 1)], r"\('A', 1\).*begins with B of batch 1"),
        ([("E", 1), ("D", 1)], r"\('D', 1\).*begins with A of batch 2"),
        ([("F", 1)], "'F'; it can be A, B, C, D, E"),
        ([("D", 3)], "a batch of kill is 3; it must be between 0 and 2"),
        (["D"], "'D'; give pairs"),
        (3, "3; give pairs"),
    ],
)
def test_a_driver_cannot_die_there(kill, words):
    with pytest.raises(BadInput, match=words):
        run_query(kill=kill, hours=3)


@pytest.mark.parametrize("settings", [{"sink": "both"}, {"sink": 3}, {"hours": 0}, {"hours": "six"}, {"progress": 7}])
def test_a_query_is_refused(settings):
    with pytest.raises(BadInput, match=repr(next(iter(settings.values())))):
        run_query(**settings)


@pytest.mark.parametrize("settings", [{"sink": "both"}, {"times": 0}, {"spark": "a session"}])
def test_a_kill_in_the_sink_is_refused(settings):
    with pytest.raises(BadInput, match=repr(next(iter(settings.values())))):
        kill_in_the_sink(**settings)


def test_a_mark_that_is_half_written_is_none_yet(tmp_path):
    file = tmp_path / "marks"
    assert marks_in(file) == []
    leave(file, Mark(1, 2, "D", 3.5))
    with open(file, "a") as marks:
        marks.write('[1, 2, "E"')
    assert marks_in(file) == [Mark(1, 2, "D", 3.5)]
    assert str(Mark(1, 2, "D", 3.5)).endswith("after the sink's own commit of batch 2, before commits/2 is written")


@pytest.mark.parametrize(("sink", "times"), [("append", 2), ("batch id", 1)])
def test_a_replayed_batch(sink, times, tmp_path):
    database = Database(tmp_path / "sink.sqlite")
    rows = [SimpleNamespace(hour=1, average=43.6, readings=5)]
    for _ in range(2):
        database.save(SINKS[sink], rows, 0)
    assert database.execute("SELECT hour, average, batch FROM averages").fetchall() == [(1, 43.6, 0)] * times
    assert database.execute("SELECT windows FROM counter").fetchall() == [(times,)]
    database.close()


def test_each_commit_of_a_sink_stands_between_c_and_d(tmp_path):
    passed = []
    places = SimpleNamespace(reach=lambda letter, batch: passed.append((letter, batch)))
    database = Database(tmp_path / "sink.sqlite", places)

    def twice(rows, batch_id, database):
        SINKS["append"](rows, batch_id, database)
        database.commit()
        database.execute("INSERT INTO batches VALUES (?)", (batch_id,))

    database.save(twice, [SimpleNamespace(hour=1, average=43.6, readings=2)], 7)
    assert passed == [("C", 7), ("D", 7)] * 2
    database.execute("INSERT INTO batches VALUES (8)")
    database.rollback()
    assert database.execute("SELECT batch FROM batches").fetchall() == [(7,)]
    database.close()
