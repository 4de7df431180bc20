"""Stamping on the cluster: exact, in as many passes as the messages are deep, and clear about what it cannot
stamp.
"""

import pytest

from exactly_once.errors import BadInput, CourseError
from exactly_once.spark.clocks.message_log import message_log
from exactly_once.spark.clocks.stamp_locally import stamp_here
from exactly_once.spark.clocks.stamping import stamp

pytestmark = pytest.mark.cluster
SCHEMA = "process long, position long, kind string, message long"


def agree(stamping):
    """Tell whether the stamps are those of the single-process reference."""
    found = stamping.events.toArrow().to_pandas()
    return (found["stamp"] == stamp_here(found)).all()


def kept(spark):
    """Return how many RDDs are kept on the executors."""
    return spark.sparkContext._jsc.getPersistentRDDs().size()


def test_a_hundred_thousand_events_are_stamped_exactly_in_depth_and_one_passes(four):
    before, told = kept(four), []
    log = message_log(100_000, processes=50, depth=4, seed=3, spark=four).persist()
    run = stamp(log, progress=told.append)
    assert (run.depth, run.passes, run.count, run.messages) == (4, 5, 100_000, 30_000)
    assert told[-1] == "Pass 4: 30,000 of 30,000 messages have their stamps."
    assert agree(run)
    places = ["process", "position"]
    found = run.events.toArrow().to_pandas().sort_values(places, ignore_index=True)
    assert found.drop(columns="stamp").equals(log.toArrow().to_pandas().sort_values(places, ignore_index=True))
    run.release()
    log.unpersist()
    assert kept(four) == before


def test_a_log_is_as_it_was_asked_for_and_the_same_again(four):
    log = message_log(3_000, processes=7, depth=5, seed=8, messages=0.5, spark=four)
    found = log.toArrow().to_pandas().sort_values(["process", "position"], ignore_index=True)
    again = message_log(3_000, processes=7, depth=5, seed=8, messages=0.5, spark=four).repartition(3)
    assert found.equals(again.toArrow().to_pandas().sort_values(["process", "position"], ignore_index=True))
    assert dict(found["kind"].value_counts()) == {"local": 1_500, "send": 750, "receive": 750}
    assert sorted(found["process"].unique()) == list(range(7))
    both = found.dropna().pivot(index="message", columns="kind", values="process")
    assert (both["send"] != both["receive"]).all()
    for _, rows in found.groupby("process"):
        assert list(rows["position"]) == list(range(1, len(rows) + 1))


def test_a_chain_that_is_longer_than_allowed_is_told_and_nothing_is_kept(four):
    before = kept(four)
    log = message_log(400, processes=4, depth=3, spark=four)
    with pytest.raises(CourseError, match=r"After 2 passes \d+ of 120 messages have no stamp"):
        stamp(log, most=2)
    assert kept(four) == before


def test_a_circle_is_told(four):
    rows = [(0, 1, "receive", 1), (0, 2, "send", 2), (1, 1, "receive", 2), (1, 2, "send", 1)]
    with pytest.raises(BadInput, match="2 messages wait for one another in a circle"):
        stamp(four.createDataFrame(rows, SCHEMA))


def test_what_is_wrong_with_a_log_reaches_the_learner(four):
    with pytest.raises(BadInput, match="Message 7 is received and never sent"):
        stamp(four.createDataFrame([(0, 1, "receive", 7)], SCHEMA))
    with pytest.raises(BadInput, match="no column 'position'"):
        stamp(four.range(3).withColumnRenamed("id", "process"))
    with pytest.raises(BadInput, match="'process' of the log is of type string"):
        stamp(four.createDataFrame([("p", 1, "local", None)], SCHEMA.replace("process long", "process string")))
    with pytest.raises(BadInput, match="Spark DataFrame"):
        stamp([1, 2])


def test_a_log_that_is_never_the_same_twice_is_told(four, tmp_path):
    def fewer_each_time(number):
        with open(tmp_path / str(number), "a") as times:
            times.write(".")
            return number >= times.tell()

    some = four.sparkContext.range(20).filter(fewer_each_time)
    log = four.createDataFrame(some.map(lambda number: (number, 1, "local", None)), SCHEMA)
    with pytest.raises(CourseError, match="persist it before stamping"):
        stamp(log)


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ({"events": 1}, "events is 1"),
        ({"processes": 1}, "processes is 1"),
        ({"depth": 0}, "depth is 0"),
        ({"events": 40, "depth": 30}, "12 messages, too few for a chain of 30"),
        ({"messages": 0}, "messages is 0"),
        ({"messages": 1.5}, "messages is 1.5"),
        ({"seed": "a"}, "seed is 'a'"),
    ],
)
def test_numbers_that_make_no_log_are_refused(numbers, said):
    with pytest.raises(BadInput, match=said):
        message_log(**numbers)


@pytest.mark.slow
@pytest.mark.parametrize(("events", "depth"), [(1_000_000, 30), (20_000, 100)])
def test_more_events_do_not_take_more_passes_and_more_depth_does(four, events, depth):
    run = stamp(message_log(events, depth=depth, spark=four))
    assert run.passes == depth + 1
    assert agree(run)
    run.release()
