"""`prove` is truthful: it gives the simplest failing schedule, never "proved" without a full search, and reasons."""

import pytest

from exactly_once import (
    Job,
    ideal_outcomes,
    judge,
    prove,
    show,  # noqa: F401 - it teaches notebooks to draw a proof
    simulate,
)
from exactly_once.errors import BadInput, OutcomeUnknown
from exactly_once.explore import replay
from exactly_once.handlers import ORDERS, at_least_once, at_most_once, handler_in_order
from exactly_once.lockfree import flawed, hourly_means
from exactly_once.verdict import IdealFailed
from tests.node.world_conformance import untruths


@pytest.mark.parametrize("crashes", [1, 2])
@pytest.mark.parametrize("order", ORDERS, ids=",".join)
def test_every_order_of_the_writes_is_broken_by_one_crash(order, crashes):
    handler = handler_in_order(order)
    proof = prove(handler, items=4, crashes=crashes)
    found = proof.counterexample
    assert not proof.ok
    assert len(found.plan.faults) == 1, "the simplest has one crash"
    assert not found.verdict.consistent
    assert found.sentence == found.verdict.sentence
    assert untruths(found.run) == []
    run = simulate(handler, found.plan, Job(items=4))
    assert run.outcome == found.run.outcome, "one node's schedule is its fault plan"


@pytest.mark.parametrize("handler", [at_least_once, at_most_once, *map(handler_in_order, ORDERS[:3])])
def test_without_faults_they_are_right(handler):
    proof = prove(handler, items=4, crashes=0)
    assert proof.ok
    assert proof.exhausted
    assert proof.warnings == ()
    assert str(proof).startswith("Proved: no violation within these bounds")
    assert "1 node, 4 items, no fault" in str(proof)
    assert "ends as it should" in str(proof)
    ruled = prove(handler, items=4, crashes=0, invariant=lambda view: True)
    assert "no fault; the rule holds at every moment of every schedule within them" in str(ruled)
    assert "as it should" not in str(ruled), "nobody has asked what is right in the end"


def test_the_crash_that_is_found_first_is_the_first_that_hurts():
    found = prove(at_least_once, items=4).counterexample
    assert (found.plan.faults[0].at, found.plan.faults[0].item) == ("C", 1)
    assert found.sentence.startswith(
        "Not exactly once: the average of hour 1 is in the output more than once. Incarnation 1"
    )


def test_the_lock_free_handler_stands_everything():
    for bounds in (
        {"nodes": 2, "items": 3, "crashes": 1},
        {"nodes": 3, "items": 2, "crashes": 0},
        {"nodes": 1, "items": 2, "pauses": 1, "crashes": 1},
        {"nodes": 2, "items": 1, "lost_replies": 1, "lost_requests": 1, "duplicates": 1, "crashes": 0},
    ):
        proof = prove(hourly_means, **bounds)
        assert proof.ok, str(proof)
        assert "No node ever waits for another" in str(proof) or bounds["nodes"] == 1


@pytest.mark.parametrize("name", ["without_preparing", "plain_push", "not_idempotent", "compared_by_value"])
def test_each_flaw_is_found_and_replayed(name):
    handler = getattr(flawed, name)
    proof = prove(handler, nodes=2, items=2, crashes=0)
    assert proof.counterexample.kind == "outcome"
    again = replay(proof.counterexample.token, handler)
    assert again.run.outcome == proof.counterexample.run.outcome
    assert list(again.run.trace) == list(proof.counterexample.trace), "event for event"
    assert untruths(again.run) == []
    assert not judge(again.run, handler).consistent


def test_a_sleeper_that_wakes_up_is_found():
    def once(node):
        positions = node.positions.load()
        while node.running():
            items, positions = node.read(positions)
            if (node.state.load() or 0) != items[0].hour:
                node.state.save(items[0].hour)
                node.output.push(items[0].hour)
            node.positions.save(positions)

    slept = prove(once, items=1, crashes=0, pauses=1)
    assert slept.counterexample.kind == "outcome"
    assert any("falls asleep" in line for line in slept.counterexample.explanation)
    assert replay(slept.counterexample.token, once).run.outcome == slept.counterexample.run.outcome


def test_lost_and_doubled_messages_are_found():
    def keyed(node):
        positions = node.positions.load()
        while node.running():
            _, after = node.read(positions)
            try:
                node.output.push(1)
            except OutcomeUnknown:
                node.output.push(1)
            node.positions.save(after)
            positions = after

    assert not prove(keyed, crashes=0, lost_replies=1).ok
    assert not prove(keyed, crashes=0, duplicates=1).ok
    assert prove(keyed, items=1, crashes=0, duplicates=0).ok
    lost = prove(keyed, crashes=0, lost_replies=1).counterexample
    assert lost.plan.faults[0].kind == "lost reply"
    assert "its reply was lost" in lost.sentence


def test_a_handler_that_looks_at_the_message_learns_nothing():
    def curious(node):
        try:
            node.output.push(1)
        except OutcomeUnknown as why:
            if "lost" in str(why):
                node.output.push(2)

    assert prove(curious, items=1, crashes=0, lost_replies=1).ok
    assert simulate(curious, prove(curious, crashes=0, lost_requests=1).counterexample.plan).outcome.outputs == ()


def test_one_that_waits_is_told_apart():
    def spinlock(node):
        while not node.registers.cas("lock", 0, "mine"):
            pass
        node.output.push(1)

    proof = prove(spinlock, nodes=2, items=1, crashes=0, invariant=lambda view: True)
    assert proof.counterexample.kind == "blocked"
    assert "waits for another" in proof.counterexample.sentence
    assert replay(proof.counterexample.token, spinlock).run.outcome == proof.counterexample.run.outcome


def test_one_that_fails_after_a_crash():
    def fragile(node):
        if node.state.load() == 1:
            raise ValueError("half done")
        node.state.save(1)
        node.state.save(2)

    proof = prove(fragile, items=1)
    assert proof.counterexample.kind == "raised"
    assert "half done" in proof.counterexample.sentence
    assert len(proof.counterexample.plan.faults) == 1


def test_one_that_never_ends_after_a_crash():
    def stubborn(node):
        half = node.state.load() == 1
        node.state.save(1)
        while half:
            node.output.push(1)
        node.state.save(2)

    proof = prove(stubborn, items=1, invariant=lambda view: True)
    assert proof.counterexample.kind == "endless"
    assert "had not ended" in proof.counterexample.sentence


def test_an_invariant_is_asked_at_every_moment():
    def mover(node):
        version, money = node.registers.read("one")
        node.registers.cas("one", version, (money or 0) - 1)
        version, money = node.registers.read("other")
        node.registers.cas("other", version, (money or 0) + 1)

    def whole(view):
        total = sum(view.registers.values())
        return True if total == 0 or not view.done else f"{-total} of the money is gone"

    def never_less(view):
        return sum(view.registers.values()) == 0

    assert prove(mover, items=1, crashes=0, invariant=whole).ok
    assert prove(mover, items=1, crashes=0, invariant=never_less).counterexample.kind == "invariant"
    found = prove(mover, items=1, crashes=1, invariant=whole).counterexample
    assert found.sentence == "After this schedule 1 of the money is gone."
    moving = prove([mover, mover], nodes=2, items=1, crashes=0, invariant=whole)
    assert not moving.ok, "two moving lose an update"


def test_a_reference_says_what_is_right():
    proof = prove(lambda node: None, items=1, reference=at_least_once)
    assert not proof.ok
    assert "missing" in proof.counterexample.sentence


def test_a_handler_that_reads_nothing_is_told_so_in_words():
    found = prove(lambda node: node.output.push(1), items=1).counterexample
    assert found.sentence.split(": ", 2)[-1].startswith("a value of no hour is in the output more than once.")
    assert "None" not in found.sentence


def test_what_is_worth_little_is_warned_of():
    proof = prove(lambda node: None, items=1)
    assert len(proof.warnings) == 2
    assert "leaves nothing" in str(proof)
    assert "unread" in str(proof)


def test_never_proved_unless_everything_was_seen():
    few = prove(hourly_means, nodes=2, items=2, crashes=0, state_limit=50)
    assert (few.ok, few.exhausted, few.counterexample) == (False, False, None)
    assert str(few).startswith("Not proved")
    assert "limit of 50 states" in str(few)
    assert "seconds were over" in str(prove(hourly_means, nodes=3, items=3, seconds=0.01))
    seen = []
    asked = prove(hourly_means, nodes=3, items=2, progress=seen.append, stopped=lambda: len(seen) > 2)
    assert "it was stopped" in str(asked)
    assert seen == sorted(set(seen))


def test_tokens_are_checked():
    token = prove(at_least_once).counterexample.token
    for wrong, complaint in (
        (token.replace("0c", "0q"), "changed or cut"),
        (token[:-2], "changed or cut"),
        ("ep9" + token[3:], "this version"),
        ("", "no token"),
    ):
        with pytest.raises(BadInput, match=complaint):
            replay(wrong, at_least_once)
    with pytest.raises(BadInput, match="another handler"):
        replay(token, at_most_once)


@pytest.mark.parametrize(
    "wrong",
    [
        {"nodes": 0},
        {"crashes": -1},
        {"items": "3"},
        {"pauses": 99},
        {"state_limit": 0},
        {"invariant": 3},
        {"seconds": "x"},
    ],
)
def test_bounds_that_make_no_sense(wrong):
    with pytest.raises(BadInput):
        prove(at_least_once, **wrong)


def test_handlers_that_cannot_be_judged():
    def fails(node):
        raise ValueError("mine")

    with pytest.raises(IdealFailed, match="mine"):
        prove(fails)
    with pytest.raises(BadInput, match="2 handlers were given for 3 nodes"):
        prove([at_least_once, at_most_once], nodes=3)


def test_nodes_with_different_handlers_are_judged_by_what_they_leave_when_nothing_goes_wrong():
    found = prove([at_least_once, at_most_once], nodes=2, items=1, crashes=0)
    assert (found.exhausted, found.counterexample, found.ok) == (True, None, False)
    assert "can end in" in " ".join(found.warnings)


def test_choices_are_explored():
    def chooser(node):
        node.output.push(node.choose([1, 2, 3]))

    assert prove(chooser, items=1, crashes=0).runs == 3
    assert prove(chooser, items=1, crashes=0, job=Job(items=2, arrival="as it comes")).ok


def test_the_hours_of_a_clock_are_explored():
    def twice(node):
        node.output.push([node.now(), node.now()])

    ends = prove(twice, items=3, crashes=0)
    assert (ends.ok, ends.runs) == (True, 6)  # 1 1, 1 2, 1 3, 2 2, 2 3, 3 3

    def late(node):
        """Trust the clock where event time is meant: the window of another hour may be the one that is pushed."""
        items, _ = node.read(node.start)
        node.output.push(node.now() - items[0].hour)

    assert not prove(late, items=2, crashes=0, invariant=lambda view: not view.done or view.outputs == (0,)).ok


def test_inputs_as_they_come():
    proof = prove(at_least_once, crashes=1, job=Job(items=2, arrival="as it comes"))
    assert proof.counterexample.kind == "outcome"
    assert replay(proof.counterexample.token, at_least_once).run.outcome == proof.counterexample.run.outcome
    assert prove(at_least_once, crashes=0, job=Job(items=2, arrival="as it comes")).ok


def test_it_is_shown_and_told_as_data():
    proof = prove(at_least_once)
    assert proof.counterexample.token in str(proof)
    assert "eo-proof" in proof._repr_html_()
    assert proof.json()["counterexample"]["plan"] == proof.counterexample.plan.token
    assert proof.json()["ok"] is False


def test_a_handler_that_ends_with_a_crash_point_is_searched_to_the_end():
    def handler(node):
        node.output.push(1)
        node.crash_point("E")

    proof = prove(handler, items=1, crashes=1)
    assert not proof.ok
    assert proof.counterexample.kind == "outcome"


def test_stop_is_heard_while_the_right_outcomes_are_computed():
    asked = []
    many = Job(items=6, arrival="as it comes")
    proof = prove(at_least_once, job=many, stopped=lambda: asked.append(1) or len(asked) > 1, seconds=1000)
    assert (proof.states, proof.exhausted, proof.counterexample) == (0, False, None)
    assert proof.stopped == "it was stopped before all right outcomes were known"


def test_the_limit_of_time_holds_while_the_right_outcomes_are_computed():
    proof = prove(at_least_once, job=Job(items=6, arrival="as it comes"), seconds=0.01)
    assert proof.stopped == "the 0.01 seconds were over before all right outcomes were known"


def test_a_judgement_that_takes_too_long_is_given_up():
    with pytest.raises(IdealFailed, match="not all known: it was stopped"):
        ideal_outcomes(at_least_once, Job(items=2), over=lambda: "it was stopped")


@pytest.mark.parametrize("faults", [{"lost_replies": 1}, {"duplicates": 1, "late_requests": 1}])
def test_the_reply_to_a_refused_request_is_not_lost_and_no_copy_of_it_is_sent(faults):
    def handler(node):
        try:
            node.store("s").add("n", "no number")
        except BadInput:
            pass
        except OutcomeUnknown:
            node.output.push("unknown")

    assert prove(handler, items=1, crashes=0, invariant=lambda view: not view.outputs, **faults).ok
