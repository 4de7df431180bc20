"""Consumers that keep their index in a database: each form at each isolation level, and that of the lock-free one."""

import pytest

from exactly_once import prove
from exactly_once.explore import KINDS
from exactly_once.handlers import INDEX
from exactly_once.handlers.logs.database_consumer import (
    applied_once,
    for_update,
    set_index,
    twins,
    where_index,
)
from exactly_once.stores import SerializationFailure
from tests.handlers.database_twins import counted_once, database_twins


def test_a_lost_reply_to_a_commit_does_not_double():
    proof = prove(twins(where_index, "read committed", messages=2), crashes=0, lost_replies=1, invariant=applied_once)
    assert proof.ok, proof


def test_a_sleeper_keeps_its_locks_and_still_nothing_is_doubled():
    proof = prove(twins(where_index, "read committed"), crashes=0, pauses=1, invariant=applied_once)
    assert proof.ok
    assert proof.lock_free is False
    assert "once the transaction of node" in proof.liveness_violation.sentence


def test_without_a_second_attempt_40001_ends_the_handler():
    proof = prove(twins(set_index, "snapshot", again=False), crashes=0, invariant=applied_once)
    assert proof.counterexample.kind == "raised"
    assert "40001" in proof.counterexample.sentence
    assert SerializationFailure.sqlstate == "40001"


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


def test_for_update_waits_where_a_read_does_not():
    first = prove(twins(for_update, "read committed"), crashes=0, invariant=applied_once)
    assert first.ok
    assert first.lock_free is False


@pytest.mark.parametrize("fault", KINDS)
@pytest.mark.parametrize("filled", [True, False], ids=["filled beforehand", "being filled"])
@pytest.mark.some(day=4, ci=8)
def test_two_database_nodes_count_each_message_once(fault, filled):
    programs = database_twins(2, filled=filled)
    proof = prove(programs, invariant=counted_once(2), **{"crashes": 0, fault: 1})
    assert proof.ok, str(proof)
    assert proof.lock_free
    assert proof.awaits_input == (not filled), "nobody waits, but for a message that is not there yet"


def test_three_of_them_and_two_faults():
    assert prove(database_twins(2, nodes=3), invariant=counted_once(2), crashes=1, lost_replies=1).ok


@pytest.mark.slow
def test_three_kinds_of_fault_at_once():
    assert prove(database_twins(3), invariant=counted_once(3), crashes=1, pauses=1, lost_replies=1).ok


def test_index_and_counter_in_two_transactions_count_twice():
    def apart(node):
        version, index = node.database.read(INDEX)
        while node.running():
            _, positions = node.read({"increments": index or 0})
            node.database.transact(("add", "counter", 1))
            node.database.cas(INDEX, version, positions["increments"])
            version, index = node.database.read(INDEX)

    programs = [one.handled_by(apart) for one in database_twins(1)]
    proof = prove(programs, invariant=counted_once(1), crashes=0)
    assert "the counter is 1, and the index 0" in proof.counterexample.sentence
