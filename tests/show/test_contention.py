"""The figure of processes at a queue says what was counted."""

import pytest

from exactly_once import show
from exactly_once.errors import BadInput
from exactly_once.lockfree.contention import Contention

PUSHES = (((0.0, 0.1), (0.2, 1.0)), ((0.1, 0.2), (0.3, 0.4)))
RUNS = [Contention("lock", None, PUSHES), Contention("cas", "step", PUSHES, (0.25, 0.9))]


def test_a_line_rises_with_each_push_and_the_time_of_standing_still_is_grey():
    figure = show.contention_figure(RUNS)
    assert len(figure.data) == 4
    assert (list(figure.data[3].x), list(figure.data[3].y)) == ([0, 0.2, 0.4], [0, 1, 2])
    assert [trace.showlegend for trace in figure.data] == [True, True, False, False]
    assert [(shape.x0, shape.x1) for shape in figure.layout.shapes] == [(0.25, 0.9)]
    words = [annotation.text for annotation in figure.layout.annotations]
    assert words == [
        "behind a lock, nobody is stopped",
        "lock-free, stopped at a step",
        "stands still:<br>others + 1",
    ]


def test_the_table_says_the_same():
    table = show.contention_table(RUNS)
    assert list(table["pushes of the others meanwhile"]) == ["–", "1"]
    assert list(table["stood still, s"]) == ["–", "0.65"]
    assert list(show.contention_table(RUNS[1]).queue) == ["lock-free"], "one result will do"


@pytest.mark.parametrize("results", [None, [], [7], "cas"])
def test_what_contend_did_not_return_is_refused(results):
    for draw in (show.contention_figure, show.contention_table):
        with pytest.raises(BadInput, match="contend"):
            draw(results)
