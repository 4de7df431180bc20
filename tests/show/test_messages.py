"""Messages and locks in the debugger: waiting messages, holders of locks, and each step in words."""

from tests.explore import blocking
from tests.node.conformance_messages import locker, messenger

from exactly_once.explore import prove, replay
from exactly_once.faults import Fault, FaultPlan
from exactly_once.pipeline import Job
from exactly_once.show.steps.steps import Steps
from exactly_once.show.steps.text import sentence
from exactly_once.simulate import simulate


def anything(view):
    return True


def told(steps):
    """Return for each moment its sentence, and what each part holds."""
    return [(sentence(steps, at), {held.title: held.text for held in steps.stores(at)}) for at in range(len(steps))]


def test_a_message_waits_until_it_is_taken():
    moments = told(Steps(simulate(messenger(), job=Job(items=1))))
    (put,) = [held for said, held in moments if "the message from node 1: 1 waits there" in said]
    assert put["inbox 1"] == "from node 1: 1"
    (taken,) = [(said, held) for said, held in moments if "is taken out" in said]
    assert "arrives at the inbox of node 1" in taken[0]
    assert taken[1]["inbox 1"] == "empty"


def test_a_lock_is_held_until_it_is_let_go_or_its_life_is_over():
    run = simulate(locker(), FaultPlan((Fault("A", 1),)), Job(items=1))
    moments = told(Steps(run))
    held = [held["lock one"] for _, held in moments]
    assert [text for number, text in enumerate(held) if text != held[number - 1]][:5] == [
        "nothing yet", "held by incarnation 1", "free, as incarnation 1 is over", "held by incarnation 2", "free",
    ]  # fmt: skip
    assert any("arrives at the lock 'one': it is now held by incarnation 2" in said for said, _ in moments)


def test_a_deadlock_is_shown_to_its_end():
    found = prove(blocking.one_then_other, nodes=2, items=1, crashes=0, invariant=anything).counterexample
    performance = replay(found.token, blocking.one_then_other)
    steps = Steps(performance.run, performance.schedule, performance.steps)
    held = {held.title: held.text for held in steps.stores(len(steps) - 1)}
    assert held == {"lock a": "held by incarnation 1", "lock b": "held by incarnation 2"}
