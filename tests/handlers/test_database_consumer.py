"""Consumers that keep their index in a database: which form is right at which isolation level, by every schedule."""

import pickle

import pytest

from exactly_once.errors import BadInput
from exactly_once.explore import prove, replay
from exactly_once.faults import Fault, FaultPlan
from exactly_once.handlers import FORMS
from exactly_once.handlers.logs.database_consumer import (
    SHOP,
    Messages,
    applied_once,
    consuming,
    for_update,
    set_index,
    twins,
    where_index,
)
from exactly_once.node import Program
from exactly_once.simulate import simulate
from exactly_once.stores.isolation import LEVELS, SerializationFailure

WEAK = ("read committed", "repeatable read")
DOUBLES = {
    "SET": WEAK,
    "WHERE, count not looked at": WEAK,
    "WHERE, count looked at": (),
    "FOR UPDATE, then SET": ("deferred", "immediate"),  # SQLite has no such statement
    "INSERT of the number": (),
    "rows of its own": (*WEAK, "snapshot"),
}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("form", FORMS)
def test_each_form_at_each_level_with_a_crash(level, form):
    proof = prove(twins(FORMS[form], level, messages=2), crashes=1, invariant=applied_once)
    assert proof.ok == (level not in DOUBLES[form]), proof
    assert proof.ok or form == "FOR UPDATE, then SET" or "counter was moved" in proof.counterexample.sentence


def test_a_lost_reply_to_a_commit_does_not_double():
    proof = prove(twins(where_index, "read committed", messages=2), crashes=0, lost_replies=1, invariant=applied_once)
    assert proof.ok, proof


def test_a_sleeper_keeps_its_locks_and_still_nothing_is_doubled():
    proof = prove(twins(where_index, "read committed"), crashes=0, pauses=1, invariant=applied_once)
    assert proof.ok
    assert proof.lock_free is False
    assert "once the transaction of node" in proof.liveness_violation.sentence


def test_a_connection_doubles_and_delays_nothing():
    quiet = prove(twins(where_index, "read committed"), crashes=0, invariant=applied_once)
    noisy = prove(
        twins(where_index, "read committed"), crashes=0, duplicates=1, late_requests=1, invariant=applied_once
    )
    assert noisy.ok
    assert noisy.states == quiet.states


def test_without_a_second_attempt_40001_ends_the_handler():
    proof = prove(twins(set_index, "snapshot", again=False), crashes=0, invariant=applied_once)
    assert proof.counterexample.kind == "raised"
    assert "40001" in proof.counterexample.sentence
    assert SerializationFailure.sqlstate == "40001"


def test_the_counterexample_is_replayed():
    programs = twins(set_index, "read committed")
    found = prove(programs, crashes=0, invariant=applied_once).counterexample
    assert replay(found.token, programs).steps == list(found.steps)


def test_two_rows_in_two_orders_deadlock():
    def crosswise(first, second):
        def apply(session, number):
            session.update(first, number)
            session.update(second, number)
            session.commit()

        return apply

    forms = crosswise("index 1", "index 2"), crosswise("index 2", "index 1")
    proof = prove(twins(forms, "read committed"), crashes=0, invariant=lambda view: True)
    assert proof.counterexample.kind == "deadlock"
    assert "once the transaction of node 1 has ended" in proof.counterexample.sentence


@pytest.mark.parametrize("at", ["row.begin", "row.read", "row.update", "row.commit"])
@pytest.mark.parametrize("kind", ["crash before", "crash after", "lost reply"])
def test_a_dead_life_leaves_no_locks_behind(at, kind):
    programs = twins(where_index, "read committed", messages=2)
    run = simulate(programs, FaultPlan([Fault(at, None, kind, lives=(1,))]))
    assert run.error is None
    assert run.reached


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: consuming(where_index, "cursor stability"),
        lambda: twins(where_index, "snapshot", nodes=0),
        lambda: twins((where_index,), "snapshot"),
        lambda: twins("WHERE", "snapshot"),
    ],
)
def test_wrong_arguments(wrong):
    with pytest.raises(BadInput):
        wrong()


def asked(program):
    """Run a handler on a database of two rows, and return the sentence of the error that ends it."""
    return simulate([Program(program, Messages())]).error or ""


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (lambda shop: (shop.begin(), shop.begin()), "commit it or roll it back before the next one begins"),
        (lambda shop: shop.begin("chaos"), "isolation level"),
        (lambda shop: shop.begin().update("index", 1.5), "whole number, a text, or None"),
        (lambda shop: shop.begin().update("", 1), "The row is ''"),
        (lambda shop: shop.begin().add("index", "1"), "the number to add"),
        (lambda shop: shop.begin("immediate").read_for_update("index"), "no SELECT … FOR UPDATE"),
        (lambda shop: (session := shop.begin(), session.commit(), session.read("index")), "no open transaction"),
    ],
)
def test_errors_are_sentences(lines, says):
    assert says in asked(lambda node: lines(node.store(SHOP)))


def test_levels_of_two_products_do_not_meet():
    found = prove([*twins(where_index, "snapshot")[:1], *twins(where_index, "repeatable read")[:1]], crashes=0,
                  invariant=applied_once)  # fmt: skip
    assert "is a level of InnoDB" in found.counterexample.sentence


def test_for_update_waits_where_a_read_does_not():
    first = prove(twins(for_update, "read committed"), crashes=0, invariant=applied_once)
    assert first.ok
    assert first.lock_free is False


@pytest.mark.parametrize("kind", ["duplicated request", "late request"])
def test_a_fault_plan_cannot_double_or_delay_what_goes_over_a_connection(kind):
    with pytest.raises(BadInput, match="delivers each request once and in order"):
        Fault("row.update", None, kind)


def test_a_source_that_was_pickled_hides_no_state():
    first = prove(twins(set_index, "deferred"), crashes=0, invariant=applied_once)
    pickle.dumps(Messages())  # it writes the names of the slots to the class
    again = prove(twins(set_index, "deferred"), crashes=0, invariant=applied_once, seconds=5)
    assert again.ok
    assert again.states == first.states
