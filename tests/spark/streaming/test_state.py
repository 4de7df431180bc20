"""Tests for the state as a table, and for old checkpoints that are put back."""

import pandas
import pytest

from exactly_once.errors import BadInput
from exactly_once.spark import restored_state, state_versions
from exactly_once.spark.streaming.conditions.state import WINDOWS, windows
from exactly_once.spark.streaming.conditions.trial import Condition, Trial, average

pytestmark = pytest.mark.cluster
EXPECTED = {  # expected, found, doubled, lost, different: of the windows that end with the hours 2, 4 and 6
    "append": (3, 4, 1, 0, 0),  # 4 comes again
    "batch id": (3, 3, 0, 0, 0),
    "batch id, large batch": (3, 2, 0, 1, 0),  # 6 comes with an id that the sink knows
    "window": (3, 3, 0, 0, 0),
    "window, source forgets": (3, 3, 0, 0, 1),  # 6 is made of its other hour alone
}


def trial_of(spark, folder, shape):
    return Trial(Condition("", "", lambda trial: "", shape=shape), spark, folder)


def test_an_old_checkpoint(spark, capfd):
    found = restored_state(spark=spark)
    counts = found[["rows expected", "rows found", "doubled", "lost", "different"]]
    assert dict(zip(found.index, counts.itertuples(index=False, name=None), strict=True)) == EXPECTED
    assert (found["said by Spark"] == "nothing").all()
    assert capfd.readouterr() == ("", "")
    with pytest.raises(BadInput, match="which is 'batch'"):
        restored_state("batch")


def test_state_versions(spark, tmp_path):
    trial = trial_of(spark, tmp_path, windows)
    trial.arrive(range(1, 5))
    assert trial.live() == ""
    found = state_versions(trial.checkpoint, spark)
    start = pandas.Timestamp("1970-01-01")
    seen = {
        batch: {
            ((one.end - start) // pandas.Timedelta(hours=1)): (one["sum"], one["count"]) for _, one in rows.iterrows()
        }
        for batch, rows in found.groupby("batch")
    }
    one, two, three, four = map(average, range(1, 5))
    assert seen == {
        0: {2: (one, 1)},
        1: {2: (one + two, 2)},
        2: {2: (one + two, 2), 4: (three, 1)},
        3: {2: (one + two, 2), 4: (three + four, 2)},
        4: {4: (three + four, 2)},  # without rows: the watermark has passed hour 2, and its window is given
    }
    assert list(found.columns) == ["batch", "operator", "partition", "start", "end", "sum", "count", "count_2"]
    assert "count(*)" in WINDOWS  # the second count


def test_what_has_no_state(spark, tmp_path):
    trial = trial_of(spark, tmp_path, lambda frame: frame)
    trial.arrive([1])
    trial.live()
    with pytest.raises(BadInput, match="has no state that is a table"):
        state_versions(trial.checkpoint, spark)
    with pytest.raises(BadInput, match="There is no checkpoint folder"):
        state_versions(tmp_path / "nowhere", spark)
