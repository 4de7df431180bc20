"""The database's handler by itself, on several nodes: all that it sees of the handler before it is a queue."""

import pytest

from exactly_once.explore import prove
from exactly_once.explore.bounds import KINDS
from exactly_once.handlers import INDEX
from exactly_once.handlers.stream.lock_free import counted_once, database_twins


@pytest.mark.parametrize("fault", KINDS)
@pytest.mark.parametrize("filled", [True, False], ids=["filled beforehand", "being filled"])
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
