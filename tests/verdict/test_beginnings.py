"""A run that goes on is judged by what is there: nothing is promised that only its end can show."""

import pytest

from exactly_once import Fault, FaultPlan, Job, show, simulate
from exactly_once.handlers import at_least_once, lock_free, offset_in_sink, two_phase
from exactly_once.trace import Recorder
from exactly_once.verdict import Beginning, Outcome, Run

YEAR = Job(items=None)


@pytest.fixture(scope="module")
def beginning():
    return Beginning(at_least_once, YEAR)


def cut(run, stamp):
    """Return a run as it stood at a Lamport stamp."""
    recorder = Recorder()
    for event in run.trace:
        if event.process.startswith("incarnation") and event.stamp <= stamp:
            recorder.lives.setdefault(event.life, []).append(event)
    writes = [entry for entry in run.writes if entry.received <= stamp]
    state = next((entry.value for entry in reversed(writes) if entry.part == "state"), None)
    return Run.put_together("spark", YEAR, FaultPlan(), Outcome.after(writes), state, writes, recorder)


def test_before_the_first_push_there_is_nothing_to_judge(beginning):
    run = simulate(at_least_once)
    for stamp in range(16):
        verdict = beginning.judge(cut(run, stamp))
        assert show.headline(verdict) == ("…", "Nothing to judge yet.", "none")
        assert "xactly once" not in show.verdict_html(verdict)
        assert "eo-is-good" not in show.verdict_html(verdict)


def test_what_is_there_is_right_so_far(beginning):
    verdict = beginning.judge(cut(simulate(at_least_once), 45))
    assert show.headline(verdict)[1:] == ("Exactly once so far.", "good")
    assert show.explanation(verdict) == "Each average up to hour 2 is in the output once."


def test_state_and_positions_do_not_agree_in_the_middle_of_a_pass(beginning):
    run = simulate(at_least_once)
    saved = {entry.part: entry.received for entry in run.writes if entry.item == 2}
    text = show.facts_html(beginning.judge(cut(run, saved["state"])))
    assert "state at hour 2, positions at hour 1: in the middle of a pass" in text
    assert "agree" not in text
    assert "both at hour 2 <span" in show.facts_html(beginning.judge(cut(run, saved["positions"])))


def test_damage_is_told_as_soon_as_it_is_there(beginning):
    run = simulate(at_least_once, FaultPlan.crash("B", 3))
    again = [push.item for push in run.pushes].index(3) + 1
    stamp = sorted(entry.received for entry in run.writes if entry.part == "output")[again]
    assert beginning.judge(cut(run, stamp - 1)).consistent
    assert show.headline(beginning.judge(cut(run, stamp)))[1] == "Not exactly once."


@pytest.mark.parametrize(
    ("handler", "fault"),
    [
        (two_phase, None),
        (two_phase, Fault("database.commit_prepared", 4, "crash before")),
        (two_phase, Fault("D", 4)),
        (lock_free, None),
        (lock_free, Fault("B", 4, node=1)),
        (lock_free, Fault("store.cas", 4, "crash after", node=1)),
        (lock_free, Fault("database.transact", 4, "crash after", node=2)),
        (offset_in_sink, None),
        (offset_in_sink, Fault("E", 4, node=1)),
        (offset_in_sink, Fault("A", 4, node=2)),
        (offset_in_sink, Fault("database.transact", 4, "crash after", node=2)),
    ],
)
@pytest.mark.some(day=4)
def test_the_way_into_another_system_is_right_at_every_moment(handler, fault):
    run = simulate(handler, FaultPlan([fault] if fault else []))
    beginning = Beginning(handler, YEAR)
    for stamp in sorted({entry.received - before for entry in run.writes for before in (0, 1)}):
        verdict = beginning.judge(cut(run, stamp))
        assert verdict.consistent, (stamp, verdict.sentence)
