"""The first crash of chapter 00, kept for chapter 01."""

from dataclasses import replace

from exactly_once import FaultPlan, simulate
from exactly_once.course import first_crash, keep_crash, near_the_death, sorted_by_clocks
from exactly_once.handlers import at_least_once
from exactly_once.trace import Trace

NAME = "first-crash.jsonl"
YOURS, OURS = "your own run of chapter 00", "a run that was recorded for the course"


def test_without_one_of_ones_own_there_is_the_recorded_one_of_real_processes(mine):
    crash, whose = first_crash()
    assert whose == OURS
    assert [death.text for death in crash.deaths()] == ["SIGKILL at B"]
    assert len({start.detail["pid"] for start in crash.lives()}) == 2
    for process in {event.process for event in crash}:
        times = [event.wall for event in crash if event.process == process]
        assert times == sorted(times)


def test_ones_own_is_kept_if_it_tells_the_time(mine):
    run = simulate(at_least_once, FaultPlan.crash("B", 3))
    keep_crash(run)
    assert first_crash()[1] == OURS, "a simulated run has no clock on the wall"
    run.trace = Trace(replace(event, wall=float(event.stamp)) for event in run.trace)
    keep_crash(run)
    crash, whose = first_crash()
    assert whose == YOURS
    assert (crash.events, crash.events[3].wall) == (run.trace.events, 4.0)
    (mine / NAME).write_text("no trace\n")
    assert first_crash()[1] == OURS
    calm = simulate(at_least_once).trace
    Trace(replace(event, wall=1.0) for event in calm).save(mine / NAME)
    assert first_crash()[1] == OURS, "nobody died in it"


def test_the_events_around_the_death_are_sorted_by_clocks_that_differ(mine):
    crash, _ = first_crash()
    near = near_the_death(crash)
    assert len(near) == 11
    assert near[5] == crash.deaths()[0]
    order, times = sorted_by_clocks(near)
    assert (order, times[0]) == (list(range(11)), "0.0")
    order, slow = sorted_by_clocks(near, stores_behind=0.010)
    behind = [place for place in range(11) if slow[place] != times[place]]
    assert behind == [place for place, event in enumerate(near) if event.process in ("output", "positions")]
    assert order.index(behind[0]) < order.index(0), "the output receives before the push is sent"
