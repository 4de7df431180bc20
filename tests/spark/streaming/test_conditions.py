"""Tests for the conditions that are broken: what each costs, what Spark says, and that nothing is left behind."""

import os

import pytest

from exactly_once import owned
from exactly_once.paths import temporary
from exactly_once.spark import broken_conditions

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster]
COUNTS = ["rows expected", "rows found", "doubled", "lost"]
BATCH = 1  # row in a batch, so that is what a batch costs
LARGE = 2  # hours that come with a batch whose id the sink knows
EXPECTED = {  # found, doubled, lost, beside so many expected
    "none": (4, 4, 0, 0),
    "source": (4, 4 - BATCH, 0, BATCH),
    "rand": (4, 4 + BATCH, BATCH, 0),
    "clock": (4, 4 + BATCH, BATCH, 0),
    "batch time": (4, 4, 0, 0),
    "sink": (4, 4 + BATCH, BATCH, 0),
    "lost checkpoint": (6, 6 - LARGE, 0, LARGE),
    "old checkpoint": (6, 6 - LARGE, 0, LARGE),
    "two queries": (4, 4 + BATCH, BATCH, 0),
    "two queries, batch id": (4, 4, 0, 0),
}


def left():
    return [path.name for path in temporary(owned.RUNS).glob(f"conditions-{os.getpid()}-*")]


@pytest.mark.slow
def test_every_condition(spark, capfd):
    found = broken_conditions()
    assert dict(zip(found.index, found[COUNTS].itertuples(index=False, name=None), strict=True)) == EXPECTED
    assert (found["different"] == 0).all()
    said_by_spark = found["said by Spark"]
    twice = said_by_spark.str.contains(r"Another query writes to the same checkpoint: .* (?:\w+/commits|batch 2)")
    assert list(found.index[twice]) == ["two queries", "two queries, batch id"]
    assert (said_by_spark[~twice] == "nothing").all()
    assert capfd.readouterr() == ("", "")
    assert left() == []
