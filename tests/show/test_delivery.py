"""The figure of deliveries says what its table says."""

import pandas
import pytest

from exactly_once import show
from exactly_once.errors import BadInput

TABLE = pandas.DataFrame(
    [("retry", "last", 0, 0, 28, 27), ("give up", "first", 23, 23, 0, 0)],
    columns=["producer", "position", "lost", "lost, predicted", "doubled", "doubled, predicted"],
)


def test_bars_are_what_was_counted_and_diamonds_what_was_predicted():
    traces = {trace.name: trace for trace in show.delivery_figure(TABLE).data}
    assert list(traces["× doubled"].y) == list(traces["doubled, predicted"].text) == [28, 0]
    assert list(traces["doubled, predicted"].y) == [27, 0]
    assert list(traces["○ lost"].y) == [0, 23]


@pytest.mark.parametrize("table", [None, 7, TABLE.drop(columns="lost")])
def test_what_is_no_table_of_deliveries_is_refused(table):
    with pytest.raises(BadInput):
        show.delivery_figure(table)
