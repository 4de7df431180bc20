"""The figure of stamping at scale draws what the table says."""

import pandas
import pytest

from exactly_once import show
from exactly_once.errors import BadInput

TABLE = pandas.DataFrame(
    {"events": [10**6, 10**5], "passes": [31, 31], "seconds": [30.0, 10.0], "reference": [1.2, 0.1]}
)


def test_times_and_passes_stand_over_the_number_of_events():
    figure = show.stamping_figure(TABLE)
    drawn = {line.name: (list(line.x), list(line.y)) for line in figure.data}
    assert drawn == {
        "on the cluster": ([10**5, 10**6], [10.0, 30.0]),
        "by a single process": ([10**5, 10**6], [0.1, 1.2]),
        "passes": ([10**5, 10**6], [31, 31]),
    }
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"


@pytest.mark.parametrize("table", [TABLE.drop(columns="passes"), TABLE[:0]])
def test_a_table_without_the_figures_is_refused(table):
    with pytest.raises(BadInput, match="columns events, passes, seconds, reference"):
        show.stamping_figure(table)
