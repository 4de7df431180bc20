"""Several right outcomes side by side, the run that was judged among them or ahead of them."""

import pytest

from exactly_once import Job, ideal_outcomes, show
from exactly_once.errors import BadInput
from exactly_once.handlers import at_least_once

JOB = Job(items=2, duration=2, threshold=3, arrival="as it comes")
IDEALS = ideal_outcomes(at_least_once, JOB)


def test_each_right_outcome_is_drawn_once_and_told_in_the_table():
    picture = show.right_outcomes(IDEALS)
    assert picture.html.count('class="eo-outcome"') == len(picture.table) == 6
    assert picture.table["read"].nunique() == picture.table["averages"].nunique() == 6
    assert set(picture.table["readings in the window"]) == {"1, 2, 3, 4"}
    assert "● Seattle was read last · ■ San Francisco was read last" in picture.html


def test_of_many_outcomes_some_are_drawn_and_all_are_in_the_table():
    picture = show.right_outcomes(ideal_outcomes(at_least_once, Job(items=3, duration=2, arrival="as it comes")))
    assert picture.html.count('class="eo-outcome"') == 12
    assert "8 more are not drawn" in picture.html
    assert len(picture.table) == 20


def test_where_all_streams_are_read_at_once_no_stream_is_named():
    picture = show.right_outcomes(ideal_outcomes(at_least_once, Job(items=2, time="processing")))
    assert "was read last" not in picture.html


def test_an_output_of_words_is_refused():
    def wordy(node):
        node.output.push(node.choose(["a", "b"]))

    with pytest.raises(BadInput, match="holds 'a', which is no number"):
        show.right_outcomes(ideal_outcomes(wordy, JOB))
