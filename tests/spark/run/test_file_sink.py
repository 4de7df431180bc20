"""Files that a task writes and renames, SIGKILLed around every rename: counted, and as the simulated world says."""

import pytest

from exactly_once.errors import BadInput
from exactly_once.paths import temporary
from exactly_once.spark.file_sink import WAYS, kill_around_renames

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(300)]


def right(table, hours):
    assert list(table["hours in the file"]) == [hours, 0, 2 * hours]
    assert list(table["doubled"]) == [0, 0, hours]
    assert list(table["lost"]) == [0, hours, 0]
    assert list(temporary("runs").iterdir()) == []


def test_each_way_is_killed_around_each_rename(spark):
    table = kill_around_renames(hours=2, points="BCD", spark=spark)
    assert list(table.index) == list(WAYS)
    assert list(table["processes killed"]) == [6, 2, 6], "in_place goes on after the half of a file"
    right(table, 2)


@pytest.mark.slow
def test_every_point_of_every_hour(spark):
    table = kill_around_renames(hours=12, spark=spark)
    assert list(table["processes killed"]) == [48, 24, 48]
    right(table, 12)


def test_nonsense_is_refused():
    with pytest.raises(BadInput, match="'carefully'"):
        kill_around_renames(ways=["carefully"])
    with pytest.raises(BadInput, match="'Z'"):
        kill_around_renames(points="Z")
