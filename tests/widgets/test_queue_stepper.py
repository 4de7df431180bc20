"""The queue stepper's model and screen: pushers step, run, sleep and die, and what is said of the queue."""

import random

import pytest

from exactly_once.errors import BadInput
from exactly_once.explore import prove, replay
from exactly_once.lockfree.pushers import exactly
from exactly_once.widgets import queue_stepper
from exactly_once.widgets.player.scene import Scene
from exactly_once.widgets.queue.scene import QUEUES


def done(widget, *actions):
    """Return the state after some actions: "step 0", "kill 1", "all"."""
    for number, action in enumerate(actions):
        do, _, value = action.partition(" ")
        widget._heard(widget, {"do": do, "value": value or None, "number": number}, [])
    return widget.model.state


def values(state):
    return [cell.value for cell in state.position.cells]


def test_a_step_is_taken_and_told_in_the_chapters_words():
    widget = queue_stepper()
    state = done(widget, "step 0", "step 0")
    assert values(state) == ["1a"]
    assert [one.next for one in state.position.nodes] == ["cas queue.hint, version 0: 1", "read queue.hint"]
    assert "Pusher 1: write 1a into cell 0, if its version is 0: done." in widget.says
    assert "lags by 1 cell" in widget.says
    assert "next: move the hint to 1, if its version is 0" in widget.nodes
    assert widget.picture.count('class="eo-cell eo-taken eo-queue-stepper-now"') == 1


def test_who_passes_a_cell_of_another_helps():
    widget = queue_stepper()
    state = done(widget, "step 1", "step 1", "sleep 1", "step 0", "step 0", "step 0", "step 0")
    assert [(one.node, one.of, one.cells) for one in state.position.helps] == [(0, (1,), (0,))]
    assert "Pusher 1 helps." in widget.says
    assert "past cell 0, which pusher 2 filled" in widget.says
    assert "helps pusher 2" in widget.way
    assert "asleep before: move the hint to 1" in widget.nodes


def test_one_that_sleeps_holds_up_nobody_at_the_queue():
    widget = queue_stepper(pushers=3)
    for cut in range(1, 4):
        state = done(widget, "restart", *["step 0"] * cut, "sleep 0", "all")
        assert state.error is None
        assert set(state.position.ended) == {1, 2}
        assert "Pusher 1 sleeps, and the others have finished." in widget.says
        state = done(widget, "sleep 0", "all")
        assert sorted(values(state)) == ["1a", "1b", "2a", "2b", "3a", "3b"]
        assert "All have ended." in widget.says


def test_behind_a_spinlock_one_that_sleeps_holds_up_all():
    widget = queue_stepper("spinlock")
    state = done(widget, "step 0", "step 0", "sleep 0", "all")
    assert state.position.lock == 0
    assert state.position.ended == []
    assert "Pusher 2 spins." in widget.says
    assert "Pusher 1 has the lock and sleeps" in widget.says
    state = done(widget, "sleep 0", "all")
    assert values(state) == [1, 2]
    state = done(widget, "restart", "step 0", "step 0", "kill 0", "all")
    assert state.position.ended == []
    assert "nobody will ever release it" in widget.says


def test_a_push_that_is_cut_off_and_made_again_doubles_but_not_at_a_prepared_place():
    widget = queue_stepper()
    state = done(widget, "step 0", "step 0", "kill 0", "all")
    assert state.position.doubled == ["1a"]
    assert "1a is in the queue twice, in the cells 0 and" in widget.says
    assert widget.picture.count("✗ twice") == 2
    for cut in range(2, 12, 3):
        state = done(widget, "queue prepared", *["step 0"] * cut, "kill 0", "all")
        assert state.error is None
        assert sorted(values(state)) == ["1a", "1b", "2a", "2b"], cut
        assert "All have ended." in widget.says


def test_reserving_pushers_undo_each_other_until_one_runs_alone():
    widget = queue_stepper("reserving")
    state = done(widget, "all")
    assert state.turns > 30
    assert "nobody has come to an end" in widget.says
    state = done(widget, "run 0", "run 1")
    assert values(state) == [1, 2]
    assert "All have ended." in widget.says


def test_undo_redo_going_back_and_another_way():
    widget = queue_stepper()
    state = done(widget, "step 0", "step 1", "step 1", "undo")
    assert (state.at, len(state.way)) == (2, 3)
    assert "1 step undone" in widget.way
    before = widget.picture
    assert done(widget, "redo").at == 3
    assert widget.picture != before
    assert done(widget, "go 1").at == 1
    state = done(widget, "step 0")
    assert (state.at, len(state.way)) == (2, 2), "what was undone is dropped"
    assert done(widget, "restart").way == ()
    assert "No step was taken yet" in widget.way


def test_the_token_is_one_that_replay_performs_and_that_comes_back():
    widget = queue_stepper("prepared", values=1)
    done(widget, "step 0", "step 1", "kill 0", "all")
    run = replay(widget.token, widget.handlers).run
    assert next(entry.value for entry in run.writes if entry.part == "register.queue.0") in ("1a", "2a")
    token, cells = widget.token, widget.picture
    done(widget, "restart", f"token {token}")
    assert widget.picture == cells
    state = done(widget, "queue lock-free", f"token {token}")
    assert "is for another handler" in state.refused["token"][1]
    assert 'aria-invalid="true"' in widget.tools
    state = done(widget, "token nonsense")
    assert "is no token" in state.refused["token"][1]


def test_it_is_the_explorers_model():
    proof = prove(queue_stepper().handlers, crashes=0, lock_free=True, invariant=exactly("1a", "1b", "2a", "2b"))
    assert proof.ok
    locked = prove(queue_stepper("spinlock").handlers, crashes=0, lock_free=True, invariant=lambda view: True)
    assert not locked.ok
    assert "goes on for ever" in (locked.liveness_violation or locked.counterexample).sentence


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        (["sleep 0", "step 0"], "Pusher 1 is asleep"),
        (["run 0", "step 0"], "Pusher 1 has ended"),
        (["run 0", "kill 0"], "nobody left to kill"),
        (["run 0", "sleep 0"], "no use for sleep"),
        (["run 0", "run 1", "all"], "Nobody is left"),
        (["step 7"], "between 0 and 1"),
        (["queue stack"], "queue"),
        (["pushers 9"], "it can be 2, 3"),
        (["kill 0"] * (Scene.most_deaths + 1), "deaths are enough"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_changes(actions, said):
    widget = queue_stepper()
    before = done(widget, *actions[:-1])
    state = done(widget, actions[-1])
    assert said in state.error.message
    assert (state.way, state.at, state.asleep, state.chosen) == (before.way, before.at, before.asleep, before.chosen)
    assert done(widget, "restart").error is None


def test_there_is_an_end_to_the_steps(monkeypatch):
    monkeypatch.setattr(Scene, "most_steps", 12)
    widget = queue_stepper("spinlock")
    done(widget, "step 0", "step 0", *["step 1"] * 10)
    for action in ("step 1", "all", "run 0"):
        state = done(widget, action)
        assert "as many as there may be" in state.error.message
        assert state.at == 12


def test_three_with_two_values_each_come_to_their_ends_at_prepared_places():
    widget = queue_stepper("prepared", pushers=3)
    state = done(widget, "all")
    assert sorted(values(state)) == ["1a", "1b", "2a", "2b", "3a", "3b"]
    assert "All have ended." in widget.says
    assert done(widget, "undo", "redo").at == len(state.way), "and each step leads back to its moment"


def test_what_was_undone_and_is_run_again_is_kept_if_it_is_the_same():
    widget = queue_stepper()
    state = done(widget, "run 0", "go 2", "run 0")
    assert state.at == len(state.way)
    state = done(widget, "run 1", "go 2", "run 0")
    assert state.at < len(state.way), "the steps of pusher 2 can still be done again"


def test_choices_begin_anew_and_bad_ones_are_refused():
    for queue in QUEUES:
        state = done(queue_stepper(), "step 0", f"queue {queue}")
        assert (state.chosen["queue"], state.way) == (queue, ())
    for wrong in ({"queue": "stack"}, {"pushers": 4}, {"values": 0}):
        with pytest.raises(BadInput):
            queue_stepper(**wrong)


@pytest.mark.parametrize("seed", range(8))
def test_whatever_is_done_the_queue_has_no_gap_and_a_hint_that_is_safe(seed):
    chance = random.Random(seed)
    widget = queue_stepper(chance.choice(["lock-free", "prepared"]), chance.choice([2, 3]), chance.choice([1, 2]))
    for _ in range(25):
        do = chance.choice(["step"] * 6 + ["run", "sleep", "kill", "undo", "all"])
        state = done(widget, f"{do} {chance.randrange(len(widget.handlers))}")
        assert state.position.hint[1] <= state.position.full == len(state.position.cells)
        assert state.position.missing == []
        assert not state.position.doubled or state.position.deaths
