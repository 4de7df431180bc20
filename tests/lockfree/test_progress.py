"""Lock-free, told from what only makes progress while the others do."""

import pytest

from exactly_once import in_turns, prove, show
from exactly_once.lockfree import Queue, cells_of, progress


def both_there(view):
    return not view.done or sorted(cells_of(view.registers)) == [1, 2] or f"{cells_of(view.registers)}"


def explored(handler, **bounds):
    return prove(handler, nodes=2, items=1, crashes=0, invariant=both_there, **bounds)


def test_under_a_spinlock_all_is_well_while_nobody_stops_and_one_that_stops_holds_up_the_other():
    proof = explored(progress.locked)
    assert proof.ok, "each push is there once"
    assert proof.lock_free is False
    assert proof.liveness_violation.kind == "blocked"
    assert "left alone, goes on for ever and never ends" in proof.liveness_violation.sentence
    assert not explored(progress.locked, lock_free=True).ok


def test_the_queue_s_own_push_waits_for_nobody():
    proof = explored(progress.lock_free, lock_free=True)
    assert proof.ok, str(proof)
    assert proof.lock_free


def test_two_that_take_each_other_s_reservations_away_may_do_so_for_ever():
    proof = explored(progress.reserving)
    assert proof.counterexample.kind == "endless"
    assert "though each of these nodes would finish alone" in proof.counterexample.sentence


def test_who_stops_inside_the_lock_holds_up_the_other_and_elsewhere_nobody():
    held = [progress.ends_beside_one_that_stopped(progress.locked, steps) for steps in range(7)]
    assert held == [True, True, False, False, False, False, True]
    assert all(progress.ends_beside_one_that_stopped(progress.lock_free, steps) for steps in range(4))
    assert all(progress.ends_beside_one_that_stopped(progress.reserving, steps) for steps in range(5))


def for_ever(node):
    while True:
        Queue(node.registers, progress.QUEUE).push("again")


def once(node):
    Queue(node.registers, progress.QUEUE).push("mine")


@pytest.mark.parametrize("rounds", [1, 2, 20])
def test_while_others_push_without_end_one_push_can_lose_for_ever(rounds):
    run = in_turns([for_ever, once], [2, *[1, 1, 1, 2] * rounds])
    mine = [event.text for event in run.trace if event.life == 2 and event.kind == "receive" and event.verb == "cas"]
    assert mine == ["refused"] * rounds
    cells = [write.value for write in run.writes if not write.part.endswith(".hint")]
    assert cells == ["again"] * rounds
    assert show.spacetime(run).html.count("refused") >= rounds
