"""A run step by step: order, stores, clocks, lives and faults at each moment, in words and as HTML."""

import re

import pytest

from exactly_once.explore import prove
from exactly_once.faults import Fault, FaultPlan
from exactly_once.handlers import at_least_once
from exactly_once.lockfree import hourly_means
from exactly_once.node.access.handles import register_in
from exactly_once.node.program import program_of
from exactly_once.pipeline import Job
from exactly_once.show.diagrams.layout import is_drawn
from exactly_once.show.steps import html as stepviews
from exactly_once.show.steps.steps import PAGE, Steps
from exactly_once.show.steps.text import sentence
from exactly_once.simulate import simulate
from exactly_once.simulate.decision import PAUSE, STEP, Decision
from exactly_once.simulate.replay import Replayer
from exactly_once.trace import Trace
from exactly_once.verdict import Outcome


def stepped(*faults, handler=at_least_once, items=2):
    return Steps(simulate(handler, FaultPlan(faults), Job(items=items)))


def replayed(**bounds):
    found = prove(at_least_once, **bounds).counterexample
    return found, Steps(found.run, found.schedule, found.steps)


def at_verb(steps, verb, nth=0):
    return [at for at in range(len(steps)) if steps.event(at).verb == verb][nth]


def held(steps, at):
    return {holding.part: holding.text for holding in steps.stores(at)}


def test_every_event_is_in_one_step_and_every_step_in_one_page():
    for steps in (stepped(Fault("B", 1)), replayed(items=1, crashes=0, pauses=1)[1], replayed(nodes=2, items=1)[1]):
        assert sorted(map(id, steps.events)) == sorted(map(id, steps.trace))
        assert steps.until(len(steps) - 1) == steps.events
        assert all(steps.event(at) in steps.page(at) for at in range(len(steps)))


def test_the_order_never_puts_an_effect_before_its_cause():
    for steps in (stepped(Fault("B", 1)), replayed(items=1, crashes=0, pauses=1)[1], replayed(nodes=2, items=1)[1]):
        sent, last = set(), {}
        for event in steps.events:
            assert last.get(event.process, 0) < event.stamp, "each process in the order of its own clock"
            last[event.process] = event.stamp
            if event.kind == "receive":
                assert event.message.removesuffix("again") in sent
            elif event.kind == "send":
                sent.add(event.message)


def test_a_replayed_schedule_is_stepped_through_in_its_own_order():
    found, steps = replayed(nodes=2, items=1, crashes=0)
    taken = list(dict.fromkeys((event.life, event.step) for event in steps.events if event.step))
    assert taken == list(dict.fromkeys(found.steps))
    by_the_clocks = list(dict.fromkeys((event.life, event.step) for event in found.trace if event.step))
    assert taken != by_the_clocks


def test_the_stores_fill_write_by_write():
    steps = stepped(Fault("C", 1))
    first = at_verb(steps, "append")
    assert held(steps, first - 1) == {"output": "empty", "state": "nothing yet", "positions": "nothing yet"}
    assert held(steps, first)["output"] == "43.6 (hour 1)"
    assert [holding.changed for holding in steps.stores(first)] == [True, False, False]
    assert held(steps, at_verb(steps, "append", 1))["output"] == "43.6 (hour 1), 43.6 (hour 1), again"
    assert held(steps, at_verb(steps, "write"))["state"] == "hour 1, 2 readings"
    assert held(steps, len(steps) - 1)["positions"] == "san_francisco 2, seattle 2"


def test_a_window_that_holds_an_hour_twice_says_so():
    steps = stepped(Fault("D", 1))
    assert held(steps, len(steps) - 1)["state"] == "hours 1–2, 6 readings; hour 1 more than once"


@pytest.mark.parametrize("point", "ABCDE")
def test_at_the_end_the_stores_hold_the_outcome(point):
    run = simulate(at_least_once, FaultPlan.crash(point, 3), Job(items=4))
    steps = Steps(run)
    texts = [text for text, *_ in steps.stores(len(steps) - 1)[0].records]
    assert len(texts) == len(run.pushes)
    assert held(steps, len(steps) - 1)["counter"] == str(run.outcome.counter)
    assert Outcome.after(run.writes) == run.outcome


def test_registers_are_shown_by_name_with_what_they_hold():
    steps = stepped(handler=hourly_means)
    names = [holding.title for holding in steps.stores(0)]
    assert names == [register_in(part) for part in steps.parts]
    assert {"machine", "output.0", "output.1"} <= set(names)
    assert all(text == "nothing yet" for text in held(steps, 0).values())
    assert held(steps, len(steps) - 1)["register.output.0"] != "nothing yet"


def test_a_refused_write_changes_nothing():
    def stubborn(node):
        node.registers.cas("x", 0, "first")
        node.registers.cas("x", 0, "second")

    steps = stepped(handler=stubborn)
    written, refused = at_verb(steps, "cas", 1), at_verb(steps, "cas", 3)  # each is asked for, then carried out
    assert "it now holds first" in sentence(steps, written)
    assert "it is refused" in sentence(steps, refused)
    assert held(steps, written) == held(steps, refused) == {"register.x": "first"}
    assert [steps.stores(at)[0].changed for at in (written, refused)] == [True, False]


def test_clocks_only_move_forward_and_read_what_the_events_say():
    steps = stepped(Fault("B", 1))
    before = steps.clocks(0)
    for at in range(1, len(steps)):
        now = steps.clocks(at)
        assert now.keys() == before.keys()
        assert all(now[process] >= before[process] for process in now)
        assert now[steps.event(at).process] >= steps.event(at).stamp
        before = now


def test_lives_and_lines_at_a_death():
    steps = stepped(Fault("C", 1))
    death = at_verb(steps, "dies")
    (life,) = steps.lives(death)
    assert (life.state, life.line, life.doing) == ("dead", 14, "SIGKILL at C")
    assert [life.state for life in steps.lives(death + 1)] == ["dead", "alive"]
    assert steps.faults() == [death]
    assert "takes over from incarnation 1" in sentence(steps, death + 1)
    assert [life.state for life in steps.lives(len(steps) - 1)] == ["dead", "ended"]


def test_a_sleeper_and_its_awakening():
    _, steps = replayed(items=1, crashes=0, pauses=1)
    (asleep,) = steps.faults()
    assert "has been put to sleep" in sentence(steps, asleep)
    assert [life.state for life in steps.lives(asleep)] == ["asleep", "alive"]
    assert steps.lives(len(steps) - 1)[0].state == "asleep"


def test_a_sleeper_that_wakes_up_is_called_a_zombie():
    asleep_at_once = [Decision(0, PAUSE), *[Decision(0, STEP)] * 2, *[Decision(1, STEP)] * 3]
    played = Replayer([program_of(at_least_once, Job(items=1))]).replay(asleep_at_once)
    steps = Steps(played.run, played.schedule, played.steps)
    woken = [at for at in range(steps.faults()[0] + 1, len(steps)) if steps.event(at).process == "incarnation 1"]
    assert len(woken) >= 3
    assert all(steps.lives(at)[0].state == "alive" and "a zombie" in steps.lives(at)[0].doing for at in woken)
    assert min(woken) > max(at for at in range(len(steps)) if steps.event(at).process == "incarnation 2")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("lost request", "The request of incarnation 1 is lost"),
        ("lost reply", "The reply to incarnation 1 is lost"),
        ("duplicated request", "has arrived twice"),
        ("crash after", "Incarnation 1 dies: SIGKILL after output.push"),
    ],
)
def test_each_fault_is_marked_and_told(kind, words):
    steps = stepped(Fault("output.push", 1, kind))
    assert any(words in sentence(steps, at) for at in steps.faults())
    assert all("✖" in sentence(steps, at) or "second time" in sentence(steps, at) for at in steps.faults())


def test_a_trace_alone_is_enough_in_the_traces_own_words():
    run = simulate(at_least_once, FaultPlan.crash("B", 3), Job(items=4))
    whole, bare = Steps(run), Steps(Trace(list(run.trace)))
    assert len(whole) == len(bare)
    end = len(bare) - 1
    assert held(bare, end)["output"] == held(whole, end)["output"]
    assert held(bare, end)["counter"] == held(whole, end)["counter"]


def test_the_drawing_marks_the_step_and_fades_what_is_to_come():
    steps = stepped(Fault("C", 1))
    for at in range(len(steps)):
        html = stepviews.diagram_html(steps, at)
        assert re.search(rf'eo-debugger-cursor-says"[^>]*>step {at + 1}[<:]', html)
    faded = [
        float(re.search(r'eo-debugger-future" x="([\d.]+)"', stepviews.diagram_html(steps, at))[1])
        for at in range(at_verb(steps, "dies"))
    ]
    assert faded == sorted(faded)


def test_the_code_has_each_life_at_its_line():
    steps = stepped(Fault("C", 1))
    html = stepviews.code_at_html([at_least_once], steps, at_verb(steps, "dies"))
    assert re.search(r'class="eo-debugger-now-line" data-line="14">.*?✖ incarnation 1', html)
    assert "give the handler" in stepviews.code_at_html([], steps, 0)


def test_what_a_handler_says_cannot_become_html():
    def rude(node):
        node.output.push("<script>alert(1)</script>")
        raise ValueError("<img src=x>")

    steps = Steps(simulate(rude, job=Job(items=1)))
    everything = "".join(
        view(steps, at)
        for at in range(len(steps))
        for view in (stepviews.diagram_html, stepviews.stores_html, stepviews.processes_html)
    )
    everything += stepviews.faults_html(steps) + stepviews.steps_html(steps)
    assert "<script" not in everything
    assert "<img" not in everything


def test_of_a_long_log_the_newest_records_are_shown():
    steps = stepped(items=30)
    shown = stepviews.stores_html(steps, len(steps) - 1)
    assert "… 6 before" in shown
    assert shown.count(">hour ") == stepviews.MOST_RECORDS


def test_a_record_that_belongs_to_no_hour_names_none():
    def hourless(node):
        node.output.push("a")
        node.output.push("a")

    steps = stepped(handler=hourless)
    shown = stepviews.stores_html(steps, len(steps) - 1)
    assert "hour" not in shown
    assert "again" not in shown


def test_pages_are_of_about_the_same_length():
    for items in (2, 3, 5, 9):
        steps = stepped(items=items)
        pages = {id(page): sum(map(is_drawn, page)) for page in map(steps.page, range(len(steps)))}
        assert max(pages.values()) <= PAGE + 5
        assert max(pages.values()) - min(pages.values()) <= 8
