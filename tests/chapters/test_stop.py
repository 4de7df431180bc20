"""The same stop under two-phase commit and beside a lock-free twin: what becomes of each."""

import pytest

from exactly_once.faults import POINTS
from exactly_once.widgets import stop, stops

BLOCKED, GOES_ON, STANDS = "blocked", "goes on to the end", "stands still"


def test_two_phase_commit_is_blocked_between_its_phases_and_the_twin_goes_on_at_every_point():
    assert [stop("two_phase", at).word for at in POINTS] == [STANDS, STANDS, BLOCKED, BLOCKED, STANDS]
    assert [stop("lock_free", at).word for at in POINTS] == [GOES_ON] * 5


def test_one_lock_free_node_stands_still_and_two_phase_commit_with_a_shared_decision_goes_on():
    assert [stop("lock_free_alone", at).word for at in POINTS] == [STANDS] * 5
    assert [stop("shared_decision", at).word for at in POINTS] == [GOES_ON] * 5


@pytest.mark.parametrize("strategy", ["two_phase", "lock_free", "lock_free_alone", "shared_decision"])
@pytest.mark.parametrize("at", POINTS)
def test_one_node_was_stopped_for_good_and_nobody_came_after_it(strategy, at):
    run = stop(strategy, at).verdict.run
    (death,) = run.trace.deaths()
    assert "for good" in death.text
    assert death.item == 2
    nodes = {"two_phase": 1, "lock_free": 3, "lock_free_alone": 2, "shared_decision": 2}
    assert len(run.trace.lives()) == nodes[strategy]
    assert run.reached


def test_the_row_that_is_in_doubt_is_named():
    found = stop("two_phase", "C")
    assert found.verdict.run.outcome.in_doubt == (("database", "1.2"),)
    assert found.sentence.startswith("Transaction 1.2 is prepared in the database and in doubt")
    assert "1 of 3 hours is in the output" in stop("two_phase", "A").sentence
    assert "2 of 3 hours are in the output" in stop("two_phase", "E").sentence


def test_the_table_and_the_sentences_say_what_becomes_of_it():
    told = str(stops())
    assert "two-phase commit, stopped at C: blocked. Transaction 1.2 is prepared" in told
    assert "lock-free, two twins, stopped at C: goes on to the end." in told
    assert "at E" in told
