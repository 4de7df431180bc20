"""The table of a copied task says for each attempt what it did."""

import pytest

from exactly_once import show
from exactly_once.errors import BadInput
from exactly_once.lockfree import hourly_means
from exactly_once.pipeline import Job
from exactly_once.simulate import simulate
from exactly_once.spark.run.speculation import Attempt, Speculated


def test_a_row_for_each_attempt():
    attempts = (
        Attempt(0, 1, "127.0.0.3", "0", 17, 0.0, "killed", 2, 3, 1),
        Attempt(1, 2, "127.0.0.2", "1", 18, 0.312, "ended", 6, 12, 0),
    )
    found = Speculated(simulate(hourly_means, None, Job(items=4)), attempts, "Spark")
    table = show.attempts_table({"lock-free": found})
    assert list(table["attempt"]) == ["0 (the task)", "1 (its copy)"]
    assert list(table["host"]) == ["127.0.0.3", "127.0.0.2"]
    assert list(table["transitions won"]) == [2, 6]
    assert list(table["after the other had ended"]) == [1, 0]
    assert list(table["its end"]) == ["killed by Spark", "ended"]
    assert list(table["records in the output"]) == [4, 4]
    assert found.sentence == (
        "Attempt 0 ran on 127.0.0.3; Spark's speculative execution started attempt 1 on 127.0.0.2, 0.3 s later. "
        "Attempt 0 (killed) wrote 1 time after another had ended."
    )


@pytest.mark.parametrize("results", [None, [], {"naive": 7}])
def test_what_was_not_run_speculatively_is_refused(results):
    with pytest.raises(BadInput, match="run_speculatively"):
        show.attempts_table(results)
