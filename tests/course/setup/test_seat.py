"""`make class`: yes or no to each question, a line for the teacher, and JupyterLab's pages really asked for."""

import pytest

from exactly_once.course import doctor
from exactly_once.course.setup import seat
from exactly_once.course.setup.findings import Finding

WELL = [Finding("Java", "well", "17 (here)"), Finding("memory", "well", "7.5 of 8.0 GB available")]
WRONG = Finding("cluster", "wrong", "does not start", "Free some memory.")
CAREFUL = Finding("cores", "careful", "1", "Allow for twice the time.")


def test_the_answers_and_the_teachers_line():
    lines = seat.told(WELL, "seat7").splitlines()
    assert lines[0].startswith("yes      Is there a Java that Spark runs on?  17")
    assert lines[-1] == "For the teacher: seat seat7 is ready (memory: 7.5 of 8.0 GB available)."
    text = seat.told([*WELL, CAREFUL, WRONG], "seat7")
    assert "NO       Does the cluster start?  does not start\n         → Free some memory." in text
    assert "yes, but Are there two processor cores?" in text
    assert "seat seat7 is NOT READY (cluster); mind cores (" in text
    assert {*doctor.QUICK, "cluster", "JupyterLab"} == set(seat.QUESTIONS)


def test_a_lab_that_gives_no_address_in_time_is_stopped_and_told():
    found = seat.lab_pages(seconds=0.0)
    assert (found.state, found.name) == ("wrong", "JupyterLab")
    assert found.value.startswith("gave no address")


@pytest.mark.not_by_day
def test_a_real_seat_serves_its_page_and_the_widgets_files():
    found = seat.lab_pages()
    assert found.state == "well", found
    assert "come from port" in found.value
