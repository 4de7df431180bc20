"""The figure of the estimate says what is computed, in words and on logarithmic axes."""

import pytest

from exactly_once import show
from exactly_once.errors import BadInput
from exactly_once.lockfree.estimate import Estimate
from exactly_once.show.charts.estimate import words_for


def test_a_line_for_each_number_of_nodes_in_both_panels_and_a_mark_at_the_estimate():
    figure = show.estimate_figure(nodes=(2, 3))
    lines = [trace for trace in figure.data if trace.mode != "markers+text"]
    marks = [trace for trace in figure.data if trace.mode == "markers+text"]
    assert [line.name for line in lines] == ["2 nodes", "2 nodes", "3 nodes", "3 nodes"]
    assert [line.showlegend for line in lines] == [True, False, True, False]
    for line in lines:
        assert list(line.y) == sorted(line.y, reverse=True), "later repair and more in common: sooner"
    assert [mark.text[0] for mark in marks] == ["23.7 years"] * 2 + ["204,379 years"] * 2
    assert marks[0].x == (10,)
    assert (lines[0].x[0], lines[0].y[0]) == (10, Estimate().years)
    assert {figure.layout.xaxis.type, figure.layout.xaxis2.type, figure.layout.yaxis.type} == {"log"}


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.25, "0.2 s"), (90, "1.5 min"), (86_400, "1 day"), (1e13, "316,881 years"), (float("inf"), "for ever")],
)
def test_a_length_of_time_in_words(seconds, said):
    assert words_for(seconds) == said


def test_what_is_no_estimate_is_refused():
    with pytest.raises(BadInput, match="The estimate is 23; give an Estimate"):
        show.estimate_figure(23)
    with pytest.raises(BadInput, match="without mishaps"):
        show.estimate_figure(Estimate(a_day=0))
    with pytest.raises(BadInput, match="the number of nodes is 0"):
        show.estimate_figure(nodes=[0])
    with pytest.raises(BadInput, match="numbers of nodes are"):
        show.estimate_figure(nodes=())
