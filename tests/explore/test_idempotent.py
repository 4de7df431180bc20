"""The idempotent producer, explored: the guarantees of each broker rule, and failing schedules without the rule."""

import contextlib

import pytest

from exactly_once import Numbers, Program, prove
from exactly_once.handlers import (
    PATIENCE,
    JavaSequences,
    burst,
    deleting,
    numbered_burst,
    numbering,
    operator,
    readings,
)
from exactly_once.log import NotEnoughReplicas

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
    assert not explored(six, "kafka", all_of(7), lost_replies=1).ok
    assert explored(six, "article", all_of(7), lost_replies=1).ok


def test_with_six_in_flight_java_doubles_what_was_on_a_lost_connection():
    """Batch 2 is the next one after the last acknowledged, so the epoch is bumped, and all in flight come again."""

    def at_the_end(view):
        return not view.done or once(view)

    five, six = (numbered_burst(7, most, one_connection=True) for most in (5, 6))
    assert explored(five, "kafka", all_of(7), lost_replies=1).ok
    found = explored(six, "kafka", at_the_end, lost_replies=1).counterexample
    assert "doubled: [1, 2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 6, 7]" in found.sentence


def test_with_six_in_flight_java_waits_in_vain_for_a_batch_behind_which_others_were_acknowledged():
    """Batch 2 is not the next one: it is sent again under its number until it expires, though the log holds it."""
    found = explored(numbered_burst(7, 6), "kafka", all_of(7), lost_replies=1).counterexample
    assert "TimeoutError: Record 2 was not acknowledged" in found.sentence
    forgetting = numbered_burst(7, 6, fire_and_forget=True)
    assert explored(forgetting, "kafka", all_of(7), lost_replies=1).ok


def test_java_goes_on_in_the_same_epoch_behind_a_batch_that_expired_and_in_the_next_when_all_did():
    numbers = JavaSequences()
    first, second = numbers.numbered("a"), numbers.numbered("b")
    numbers.acknowledged(second)
    for _ in range(PATIENCE):
        again = numbers.refused(first, [])
    assert (list(again), numbers.expired) == ([], ["a"])
    third, fourth = numbers.numbered("c"), numbers.numbered("d")
    assert (third.number, numbers.epoch) == (2, 0)
    third.rewritten = True  # its number was rewritten once: it asks for no second bump
    for _ in range(PATIENCE):
        again = numbers.refused(third, [fourth])
    assert (numbers.expired, numbers.epoch, list(again)) == (["a", "c"], 0, [fourth])
    assert list(numbers.refused(fourth, [])) == [fourth], "the next one behind what expired bumps the epoch"
    assert (numbers.epoch, fourth.number, numbers.next) == (1, 0, 1)
    for _ in range(PATIENCE):
        assert numbers.epoch == 1
        numbers.refused(fourth, [])
    fifth = numbers.numbered("e")
    assert (numbers.expired, numbers.epoch, fifth.number) == (["a", "c", "d"], 2, 0), "nothing was acknowledged since"


def test_java_forgets_what_expired_once_the_batches_behind_it_are_acknowledged():
    numbers = JavaSequences()
    first, second, third = (numbers.numbered(record) for record in "abc")
    numbers.acknowledged(second)
    for _ in range(PATIENCE):
        numbers.refused(first, [third])
    numbers.acknowledged(third)
    fourth = numbers.numbered("d")
    assert (numbers.behind_expired, numbers.epoch, fourth.number) == (None, 0, 3)
    assert numbers.refused(fourth, [])[0].number == 0
    assert numbers.epoch == 1


def test_kafka_takes_any_number_of_a_producer_it_does_not_know():
    hasty = numbered_burst(first_alone=False)
    for rule, ok in (("kafka", False), ("kafka 4.5", True), ("article", True)):
        assert explored(hasty, rule, all_of(4), lost_requests=1).ok == ok


def lost_at_the_end(view):
    written = [value for value in view.outputs if value]
    return not view.done or written == [1, 2] or f"the log holds {written}"


def on_a_partition(rule, held=False, replica_comes=True, fire_and_forget=True, **settings):
    """Two batches, at once, to a partition of two replicas, of which the second comes up while they are sent."""
    both = numbered_burst(2, first_alone=False, fire_and_forget=fire_and_forget)
    new = readings(rule, brokers=2, min_insync_replicas=2)
    programs = [Program(both, Numbers(1), new, "producer")]
    if replica_comes:
        programs.append(Program(operator(("kill", 1), ("revive", 1)), Numbers(1), name="replica"))
    if held:
        programs.append(Program(another_record, Numbers(1), new, "earlier"))
    return prove(programs, crashes=0, invariant=lost_at_the_end, **settings)


def another_record(node):
    with contextlib.suppress(NotEnoughReplicas):
        node.log.append("readings", [0])


def test_on_a_new_partition_a_record_is_lost_without_a_lost_message_until_4_5():
    found = on_a_partition("kafka").counterexample
    assert "the log holds [2]" in found.sentence
    assert on_a_partition("kafka", replica_comes=False).ok
    assert on_a_partition("kafka 4.5").ok
    assert on_a_partition("article").ok
    told = on_a_partition("kafka", fire_and_forget=False).counterexample
    assert "TimeoutError: Record 1 was not acknowledged" in told.sentence, "the application hears of it if it looks"


def test_on_a_partition_that_held_a_record_it_is_lost_since_4_5_as_well():
    assert "the log holds [2]" in on_a_partition("kafka 4.5", held=True).counterexample.sentence
    assert on_a_partition("article", held=True).ok


@pytest.mark.parametrize("rule", ["kafka", "kafka 4.5"])
def test_one_in_flight_keeps_the_first_record_where_any_number_may_be_the_first(rule):
    one = Program(
        numbered_burst(2, 1, first_alone=False),
        Numbers(1),
        readings(rule, brokers=2, min_insync_replicas=2),
        "producer",
    )
    replica = Program(operator(("kill", 1), ("revive", 1)), Numbers(1), name="replica")
    assert prove([one, replica], crashes=0, invariant=all_of(2)).ok


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
