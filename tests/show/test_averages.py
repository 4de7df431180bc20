"""The averages over time: what is right and wrong, and the window beneath each; the same in the table."""

import pytest

from exactly_once import FaultPlan, Job, judge, show, simulate
from exactly_once.errors import BadInput
from exactly_once.handlers import at_least_once, at_most_once, handler_in_order

JOB = Job(items=8, duration=4)


def judged(point, handler=at_least_once, job=JOB, hour=3, seed=0):
    return judge(simulate(handler, FaultPlan.crash(point, hour), job, seed), handler)


def drawn(verdict, **options):
    return show.averages(verdict, **options).html


def test_after_d_the_hour_that_is_in_twice_is_red_until_it_has_left_the_window():
    verdict = judged("D")
    table = show.averages(verdict).table
    assert table["mark"].tolist() == ["✓"] * 3 + ["× twice, ≠ wrong"] + ["≠ wrong"] * 3 + ["✓"] * 2
    assert table["in it twice"].tolist() == [""] * 3 + ["hour 3"] * 4 + [""] * 2
    assert table.loc[3, "average"] != table.loc[3, "should be"] == table.loc[2, "average"]
    html = drawn(verdict)
    assert html.count("●●■■") == html.count("eo-doubles") == 4
    assert html.count("eo-holds") == 1 + 2 + 3 + 2 + 3 * 3 + 4 + 4, "the other hours of all nine windows"
    assert html.count("≠ wrong</span>") == 4
    assert "incarnation 2 goes on" in html


def test_a_repeated_average_that_is_right_has_a_ring_and_no_diamond():
    html = drawn(judged("C"))
    assert html.count("× twice") == 1, "in the head of its column"
    assert html.count("<circle") == 9 + 1
    assert "<path" not in html, "no diamond"
    assert "eo-doubles" not in html


def test_an_hour_that_was_left_out_is_dashed_and_a_missing_average_is_a_hole():
    left_out = judged("C", handler_in_order("positions,output,counter,state"))
    assert drawn(left_out).count("○□") == 3
    assert "hour 3" in show.averages(left_out).table["left out of it"].tolist()
    missing = judged("C", at_most_once)
    assert drawn(missing).count("○ missing") == 1, "in the head"
    assert drawn(missing).count("--eo-amber") == 1, "a ring on the line"
    assert show.averages(missing).table["average"].tolist()[2] == "—"


def test_each_pass_of_an_hour_is_judged_by_itself_where_inputs_come_as_they_come():
    job = Job(items=2, duration=2, arrival="as it comes")
    for seed in range(4):
        calm = judge(simulate(at_least_once, None, job, seed), at_least_once)
        assert show.averages(calm).table["mark"].tolist() == ["✓"] * 4
        assert show.tape_table(calm)["mark"].tolist() == ["✓"] * 4
        marks = show.averages(judged("C", job=job, hour=2, seed=seed)).table["mark"].tolist()
        assert sum("twice" in mark for mark in marks) == 1
        lost = judged("C", at_most_once, job, hour=2, seed=seed)
        assert [mark for mark in show.tape_table(lost)["mark"] if mark != "✓"] == ["○ missing"]


def test_what_cannot_be_drawn_is_refused():
    def raising(node):
        raise ValueError("no")

    def wordy(node):
        node.output.push("a word")

    with pytest.raises(BadInput, match="The handler failed in this run"):
        show.averages(judge(simulate(raising, job=JOB), raising))
    with pytest.raises(BadInput, match="holds 'a word', which is no number"):
        show.averages(judge(simulate(wordy, job=JOB), wordy))
    with pytest.raises(BadInput, match="give a verdict"):
        show.averages(JOB)
