"""The figures of records that wait say what was measured."""

import pytest

from exactly_once import show
from exactly_once.delivery.waits import Wait, Waits
from exactly_once.errors import BadInput

TWINS = tuple(
    Wait(hour, hour / 10, 0.01 + hour / 10_000, 1 if hour % 2 and hour < 20 else 2) for hour in range(1, 41)
)
ONE = tuple(Wait(hour, hour / 10, 0.01 if hour < 20 else max(0.01, 4.05 - hour / 10), 1) for hour in range(1, 41))
STOPPED = Waits("stop", "one node with Spark's retry", 10.0, 0.5, 1.95, (3.95, 3.95), TWINS, ONE)


def test_what_is_read_from_two_series():
    assert len(STOPPED.undisturbed) == 14, "hours 6 to 19"
    assert len(STOPPED.disturbed) == 21
    assert STOPPED.longest == pytest.approx((0.0119, 0.014))
    assert STOPPED.p99 == STOPPED.longest
    assert STOPPED.gap == pytest.approx(2.05)
    assert STOPPED.away == pytest.approx((2, 2))
    assert STOPPED.most_waiting == (1, 21)
    assert STOPPED.waiting("twins")[-1] == (pytest.approx(4.014), 0)
    assert STOPPED.waiting("other")[-1][1] == 0
    assert str(STOPPED) == (
        "One twin was stopped: a record waited at most 14 ms from then on, and 12 ms before; at most 1 waited at "
        "once. One node with Spark's retry, stopped at the same moment: a record waited up to 2,050 ms; at most 21 "
        "waited at once."
    )
    with pytest.raises(BadInput, match="the side"):
        STOPPED.waiting("left")


def test_each_record_stands_where_it_arrived_and_the_time_away_is_amber():
    figure = show.waits_figure(STOPPED)
    names = [trace.name for trace in figure.data]
    assert names == [None, "twins, written by 1", "twins, written by 2", "one node with Spark's retry"]
    assert [trace.marker.symbol for trace in figure.data[1:]] == ["circle", "square", "diamond-open"]
    assert figure.data[3].line.dash == "dash"
    assert figure.data[0].x[0] == pytest.approx(0.5 - 1.95)
    assert max(figure.data[3].y) == pytest.approx(2050)
    assert figure.layout.yaxis.type == "log"
    (away,) = figure.layout.shapes
    assert (away.x0, away.x1) == (0, pytest.approx(2))
    assert figure.layout.annotations[0].text == "one node with Spark's retry: away 2.0 s"


def test_records_that_wait_are_counted_over_time():
    figure = show.waiting_figure(STOPPED)
    assert [trace.name for trace in figure.data] == ["one node with Spark's retry", "twins"]
    assert [max(trace.y) for trace in figure.data] == [21, 1]


def test_the_table_says_the_same():
    table = show.waits_table([STOPPED, STOPPED])
    assert len(table) == 2
    assert dict(table.iloc[0]) == {
        "one node is": "stopped for 2.0 s", "twins: p99 before, ms": "12", "p99 from then on, ms": "14",
        "longest before, ms": "12", "longest from then on, ms": "14", "beside them": "one node with Spark's retry",
        "its longest, ms": "2,050", "most waiting, twins and other": "1 and 21",
    }  # fmt: skip
