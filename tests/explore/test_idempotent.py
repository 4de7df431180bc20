"""The idempotent producer, explored: what each rule of the broker keeps, and the schedule that breaks what it does
not keep.
"""

import pytest

from exactly_once.explore import prove
from exactly_once.handlers.logs.idempotent import burst, deleting, numbered_burst, numbering, readings
from exactly_once.node import Numbers, Program

both_rules = pytest.mark.parametrize("rule", ["article", "kafka"])
EVERY_KIND = {"lost_requests": 1, "lost_replies": 1, "late_requests": 1, "duplicates": 1}


def once(view):
    return len(view.outputs) == len(set(view.outputs)) or f"doubled: {view.outputs}"


def in_order(view):
    return list(view.outputs) == sorted(view.outputs) or f"out of order: {view.outputs}"


def all_of(records):
    def there(view):
        return not view.done or set(view.outputs) == set(range(1, records + 1)) or f"lost: {view.outputs}"

    return lambda view: next((said for said in (once(view), in_order(view), there(view)) if said is not True), True)


def at_its_place(view):
    wrong = [record[2] for record in view.look("log", "readings", "partition") if record[2] != record[0] + 1]
    return not wrong or f"appended again: {wrong}"


def explored(handler, rule, invariant, records=1, crashes=0, **faults):
    program = Program(handler, Numbers(records), readings(rule), "producer")
    return prove(program, crashes=crashes, invariant=invariant, **faults)


def test_without_numbers_a_lost_reply_doubles_and_a_lost_request_reorders():
    doubled = explored(burst(), "none", once, lost_replies=1)
    reordered = explored(burst(), "none", in_order, lost_requests=1)
    assert "doubled: [1, 2, 3, 4, 1]" in doubled.counterexample.sentence
    assert "out of order: [2, 3, 4, 1]" in reordered.counterexample.sentence


@both_rules
def test_with_numbers_a_burst_is_there_once_and_in_order(rule):
    assert explored(numbered_burst(), rule, all_of(4), **EVERY_KIND).ok


def test_the_window_holds_for_five_in_flight_and_not_for_six():
    five, six = numbered_burst(7), numbered_burst(7, in_flight=6)
    assert explored(five, "kafka", all_of(7), lost_replies=1).ok
    found = explored(six, "kafka", all_of(7), lost_replies=1).counterexample
    assert "OutOfOrderSequence" in found.sentence
    bumped = explored(numbered_burst(7, 6, bump=True), "kafka", all_of(7), lost_replies=1).counterexample
    assert "doubled: [1, 2, 3, 4, 5, 6, 7, 2]" in bumped.sentence
    assert explored(numbered_burst(7, 6), "article", all_of(7), lost_replies=1).ok


def test_an_error_that_ends_a_schedule_is_told_with_one_full_stop():
    found = explored(numbered_burst(7, 6), "kafka", all_of(7), lost_replies=1).counterexample
    assert found.explanation[-1].endswith("a retry is recognised for 5 batches.")


def test_kafka_takes_any_number_of_a_producer_it_does_not_know():
    hasty = numbered_burst(first_alone=False, bump=True)
    assert (
        "out of order: [2, 3, 4, 1]" in explored(hasty, "kafka", all_of(4), lost_requests=1).counterexample.sentence
    )
    assert explored(hasty, "article", all_of(4), lost_requests=1).ok


@both_rules
def test_a_producer_that_keeps_its_id_is_recognised_after_its_death_and_one_that_does_not_is_not(rule):
    assert explored(numbering(), rule, all_of(2), 2, crashes=1, late_requests=1).ok
    assert explored(numbering(), rule, all_of(2), 2, crashes=1, pauses=1).ok
    found = explored(numbering(keeps_id=False), rule, all_of(2), 2, crashes=1).counterexample
    assert "doubled: [1, 1]" in found.sentence
    assert any("save positions: dies before it" in line for line in found.explanation)


def test_deleting_records_made_the_broker_forget_their_producer_until_kip_360():
    def with_retention(rule, records, **faults):
        producer = Program(numbered_burst(records), Numbers(1), readings(rule), "producer")
        retention = Program(deleting(1), Numbers(1), name="retention")
        return prove([producer, retention], crashes=0, invariant=at_its_place, **faults)

    assert "UnknownProducerId" in with_retention("kafka 2.4", 2).counterexample.sentence
    assert "appended again: [1]" in with_retention("kafka 2.4", 1, late_requests=1).counterexample.sentence
    assert with_retention("kafka", 3, late_requests=2).ok
