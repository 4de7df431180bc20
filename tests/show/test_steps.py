"""A run step by step, as the debugger has it: order, stores, clocks, lives and faults at each moment, in words."""

import html
import re

import pytest
from tests.explore import blocking
from tests.node.conformance_handlers import locker, messenger

from exactly_once import Fault, FaultPlan, Job, prove, simulate
from exactly_once.explore import replay
from exactly_once.handlers import at_least_once
from exactly_once.lockfree import hourly_means
from exactly_once.verdict import Outcome
from exactly_once.widgets import debugger


def opened(*faults, handler=at_least_once, items=2):
    return debugger(simulate(handler, FaultPlan(faults), Job(items=items)), handler)


def stepped(*faults, handler=at_least_once, items=2):
    return opened(*faults, handler=handler, items=items).model.steps


def replayed(**bounds):
    found = prove(at_least_once, **bounds).counterexample
    return found, debugger(found, at_least_once)


def told(shown):
    """Return for each moment its sentence, and what each part holds."""
    moments = []
    for at in range(len(shown.model.steps)):
        shown.go(at + 1)
        held = {one.title: one.text for one in shown.model.steps.stores(at)}
        moments.append((html.unescape(re.sub("<.*?>", "", shown.says)), held))
    return moments


def at_verb(steps, verb, nth=0):
    return [at for at in range(len(steps)) if steps.event(at).verb == verb][nth]


def held(steps, at):
    return {holding.part: holding.text for holding in steps.stores(at)}


def test_every_event_is_in_one_step_and_no_effect_comes_before_its_cause():
    several = [stepped(Fault("B", 1))]
    several += [replayed(**each)[1].model.steps for each in ({"items": 1, "crashes": 0, "pauses": 1}, {"nodes": 2})]
    for steps in several:
        assert sorted(map(id, steps.events)) == sorted(map(id, steps.trace))
        assert steps.until(len(steps) - 1) == steps.events
        assert all(steps.event(at) in steps.page(at) for at in range(len(steps)))
        sent, last = set(), {}
        for event in steps.events:
            assert last.get(event.process, 0) < event.stamp, "each process in the order of its own clock"
            last[event.process] = event.stamp
            if event.kind == "receive":
                assert event.message.removesuffix("again") in sent
            elif event.kind == "send":
                sent.add(event.message)


def test_a_replayed_schedule_is_stepped_through_in_its_own_order():
    found, shown = replayed(nodes=2, items=1, crashes=0)
    taken = list(dict.fromkeys((event.life, event.step) for event in shown.model.steps.events if event.step))
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
    twice = stepped(Fault("D", 1))
    assert held(twice, len(twice) - 1)["state"] == "hours 1–2, 6 readings; hour 1 more than once"


def test_at_the_end_the_stores_hold_the_outcome():
    for point in "ABCDE":
        run = simulate(at_least_once, FaultPlan.crash(point, 3), Job(items=4))
        steps = debugger(run, at_least_once).model.steps
        texts = [text for text, *_ in steps.stores(len(steps) - 1)[0].records]
        assert len(texts) == len(run.pushes)
        assert held(steps, len(steps) - 1)["counter"] == str(run.outcome.counter)
        assert Outcome.after(run.writes) == run.outcome


def test_registers_are_shown_by_name_and_a_refused_write_changes_nothing():
    steps = stepped(handler=hourly_means)
    assert {"machine", "output.0", "output.1"} <= {holding.title for holding in steps.stores(0)}
    assert all(text == "nothing yet" for text in held(steps, 0).values())
    assert held(steps, len(steps) - 1)["register.output.0"] != "nothing yet"

    def stubborn(node):
        node.registers.cas("x", 0, "first")
        node.registers.cas("x", 0, "second")

    shown = opened(handler=stubborn)
    steps, moments = shown.model.steps, told(shown)
    written, refused = at_verb(steps, "cas", 1), at_verb(steps, "cas", 3)  # each is asked for, then carried out
    assert "it now holds first" in moments[written][0]
    assert "it is refused" in moments[refused][0]
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
    shown = opened(Fault("C", 1))
    steps, moments = shown.model.steps, told(shown)
    death = at_verb(steps, "dies")
    (life,) = steps.lives(death)
    assert (life.state, life.line, life.doing) == ("dead", 14, "SIGKILL at C")
    assert [life.state for life in steps.lives(death + 1)] == ["dead", "alive"]
    assert steps.faults() == [death]
    assert "takes over from incarnation 1" in moments[death + 1][0]
    assert [life.state for life in steps.lives(len(steps) - 1)] == ["dead", "ended"]
    shown.go(death + 1)
    assert re.search(r'class="eo-debugger-now-line" data-line="14">.*?✖ incarnation 1', shown.code)


def test_a_sleeper_is_put_to_sleep_and_does_not_end():
    _, shown = replayed(items=1, crashes=0, pauses=1)
    steps, moments = shown.model.steps, told(shown)
    (asleep,) = steps.faults()
    assert "has been put to sleep" in moments[asleep][0]
    assert [life.state for life in steps.lives(asleep)] == ["asleep", "alive"]
    assert steps.lives(len(steps) - 1)[0].state == "asleep"


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
    shown = opened(Fault("output.push", 1, kind))
    said = [sentence for sentence, _ in told(shown)]
    faults = shown.model.steps.faults()
    assert any(words in said[at] for at in faults)
    assert all("✖" in said[at] or "second time" in said[at] for at in faults)


def test_a_message_waits_until_it_is_taken():
    moments = told(opened(handler=messenger(), items=1))
    (put,) = [held for said, held in moments if "the message from node 1: 1 waits there" in said]
    assert put["inbox 1"] == "from node 1: 1"
    (taken,) = [(said, held) for said, held in moments if "is taken out" in said]
    assert "arrives at the inbox of node 1" in taken[0]
    assert taken[1]["inbox 1"] == "empty"


def test_a_lock_is_held_until_it_is_let_go_or_its_life_is_over():
    moments = told(opened(Fault("A", 1), handler=locker(), items=1))
    held = [held["lock one"] for _, held in moments]
    assert [text for number, text in enumerate(held) if text != held[number - 1]][:5] == [
        "nothing yet", "held by incarnation 1", "free, as incarnation 1 is over", "held by incarnation 2", "free",
    ]  # fmt: skip
    assert any("arrives at the lock 'one': it is now held by incarnation 2" in said for said, _ in moments)


def test_a_deadlock_is_shown_to_its_end():
    handler = blocking.one_then_other
    found = prove(handler, nodes=2, items=1, crashes=0, invariant=lambda view: True).counterexample
    steps = debugger(replay(found.token, handler), handler).model.steps
    held = {one.title: one.text for one in steps.stores(len(steps) - 1)}
    assert held == {"lock a": "held by incarnation 1", "lock b": "held by incarnation 2"}
