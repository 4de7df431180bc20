"""Messages and locks are explored: merging and reductions lose nothing, and what waits is found and told apart."""

import pytest

from exactly_once import Job, prove, simulate
from exactly_once.errors import BadInput, CourseError
from exactly_once.explore import Bounds, Case, Limits, Prover, VersionAbstraction, replay
from exactly_once.handlers import counter_sink
from exactly_once.lockfree import Queue, hourly_means
from exactly_once.sandbox import prove_safely
from exactly_once.stores import MemoryStore, NoInput
from exactly_once.verdict import IdealFailed
from tests.explore import blocking
from tests.explore.searching import by_brute_force, outcomes
from tests.handlers.database_twins import counted_once, database_twins
from tests.node.world_conformance import untruths

FAULTS = ({}, {"crashes": 1}, {"lost_replies": 1}, {"lost_requests": 1}, {"duplicates": 1}, {"pauses": 1})
TWO = ["locked", "by_hand", "in_a_fixed_order", "one_then_other", "ping_pong", "answered_from_both", "insistent"]
HIDING = ["locks_of_two_names", "another_block_beside_a_lock", "kept_by_a_stack"]


def anything(view):
    return True


@pytest.mark.parametrize("bounds", FAULTS, ids=str)
@pytest.mark.parametrize("name", [*TWO, *HIDING])
@pytest.mark.some(day=20, ci=40)
def test_merging_loses_no_outcome(name, bounds):
    handler = getattr(blocking, name)
    merged, fewer = outcomes(handler, True, nodes=2, **bounds)
    plain, more = outcomes(handler, False, nodes=2, **bounds)
    assert merged == plain
    assert fewer <= more


@pytest.mark.parametrize("name", ["by_hand", "one_then_other", "ping_pong", "insistent"])
@pytest.mark.some(day=1, ci=2)
def test_two_nodes_by_brute_force(name):
    handler = getattr(blocking, name)
    assert outcomes(handler, True, nodes=2)[0] == by_brute_force(handler, nodes=2)


@pytest.mark.parametrize("bounds", FAULTS[1:], ids=str)
@pytest.mark.parametrize("name", ["ping_pong", "insistent"])
@pytest.mark.some(day=2, ci=4)
def test_two_nodes_with_a_fault_by_brute_force(name, bounds):
    handler = getattr(blocking, name)
    assert outcomes(handler, True, nodes=2, **bounds)[0] == by_brute_force(handler, nodes=2, **bounds)


def test_messages_of_several_senders_come_in_any_order_and_those_of_one_in_theirs():
    found, _ = outcomes(blocking.two_to_one, True, nodes=3)
    told = {outcome.outputs for outcome in found}
    assert len(told) == 6
    for outputs in told:
        assert [text for text in outputs if text.startswith("[1")] == ['[1,"first"]', '[1,"second"]']
    assert outcomes(blocking.two_to_one, False, nodes=3)[0] == found
    assert by_brute_force(blocking.two_to_one, nodes=2) == outcomes(blocking.two_to_one, True, nodes=2)[0]


def test_a_lock_keeps_two_apart():
    assert prove(blocking.locked, nodes=2, items=1, crashes=0, invariant=total(2)).ok
    assert not prove(blocking.unlocked, nodes=2, items=1, crashes=0, invariant=total(2)).ok


def total(wanted):
    def right(view):
        return not view.done or view.state == wanted or f"the state is {view.state}"

    return right


def test_a_lock_is_released_by_a_death_and_kept_in_sleep():
    assert prove(blocking.in_a_fixed_order, nodes=2, items=1, crashes=2, invariant=anything).ok
    slept = prove(blocking.in_a_fixed_order, nodes=1, items=1, crashes=0, pauses=1, invariant=anything)
    assert (slept.ok, slept.lock_free) == (True, False)
    assert slept.liveness_violation.explanation[-1] == "Incarnation 2: waits to acquire lock a, which node 1 holds."


def test_two_locks_in_opposite_order_are_a_deadlock():
    proof = prove(blocking.one_then_other, nodes=2, items=1, crashes=0, invariant=anything)
    found = proof.counterexample
    assert (proof.ok, proof.lock_free, found.kind) == (False, None, "deadlock")
    assert "node 1 waits to acquire lock b, which node 2 holds" in found.sentence
    assert "node 2 waits to acquire lock a, which node 1 holds" in found.sentence
    assert len(found.schedule) == 2
    assert untruths(found.run) == []
    assert len(replay(found.token, blocking.one_then_other).waiting) == 2
    fixed = prove(blocking.in_a_fixed_order, nodes=2, items=1, crashes=0, invariant=anything)
    assert (fixed.ok, fixed.lock_free, fixed.liveness_violation.kind) == (True, False, "blocked")
    assert "Deadlock-free, but not lock-free" in str(fixed)


def test_one_that_waits_for_what_nobody_sends():
    proof = prove([blocking.nobody_sends, hourly_means], items=1, crashes=0, invariant=anything)
    assert proof.counterexample.kind == "deadlock"
    assert proof.counterexample.sentence.endswith("nobody can go on: node 1 waits to receive a message.")
    with pytest.raises(CourseError, match="waits for a message"):
        simulate(blocking.nobody_sends)
    with pytest.raises(IdealFailed, match="waits for ever for a message"):
        prove(blocking.nobody_sends, items=1)
    with pytest.raises(IdealFailed, match="waits for ever for a message"):
        prove(blocking.nobody_sends, nodes=2, items=1)


def test_a_spinlock_waits():
    proof = prove(blocking.spins, nodes=2, items=1, crashes=0, invariant=anything)
    assert (proof.ok, proof.lock_free, proof.liveness_violation.kind) == (True, False, "blocked")
    assert "waits for another" in proof.liveness_violation.sentence
    assert replay(proof.liveness_violation.token, blocking.spins).run.outcome == proof.liveness_violation.run.outcome
    demanded = prove(blocking.spins, nodes=2, items=1, crashes=0, invariant=anything, lock_free=True)
    assert (demanded.ok, demanded.counterexample.kind) == (False, "blocked")
    crashed = prove(blocking.spins, nodes=2, items=1, crashes=1, invariant=anything)
    assert (crashed.ok, crashed.counterexample.kind) == (False, "blocked"), "a lock of one's own outlives its holder"


def test_a_spinlock_that_is_never_let_go_breaks_the_handler():
    proof = prove(blocking.never_lets_go, nodes=2, items=1, crashes=0, invariant=anything)
    assert (proof.ok, proof.counterexample.kind) == (False, "blocked")


@pytest.mark.parametrize("name", ["overwrites", "overwrites_the_state"])
def test_two_that_undo_each_other_for_ever(name):
    handler = getattr(blocking, name)
    assert prove(handler, nodes=1, items=1, crashes=0, invariant=anything).ok, "alone it ends"
    proof = prove(handler, nodes=2, items=1, crashes=0, invariant=anything)
    assert proof.counterexample.kind == "endless"
    assert "of nodes 1 and 2, can be repeated for ever" in proof.counterexample.sentence
    again = replay(proof.counterexample.token, handler)
    assert again.run.outcome == proof.counterexample.run.outcome
    assert any("loops" in line for line in proof.counterexample.explanation)
    assert proof.states < 1_000


def test_two_that_are_polite_wait_for_one_that_stops():
    proof = prove(blocking.after_you, nodes=2, items=1, crashes=0, invariant=anything)
    assert (proof.ok, proof.counterexample.kind) == (False, "blocked")


def test_a_life_that_waits_is_found_though_others_go_round_elsewhere():
    proof = prove(blocking.waits_and_then_overwrites, nodes=2, items=1, crashes=0, invariant=anything)
    assert (proof.ok, proof.counterexample.kind) == (False, "endless")
    assert (proof.lock_free, proof.obstruction_free) == (False, False)
    assert proof.liveness_violation.kind == "blocked"
    assert "node 2, left alone, goes on for ever" in proof.sentences[2]
    assert "node 2, left alone, goes on for ever" in str(proof)
    demanded = prove(
        blocking.waits_and_then_overwrites, nodes=2, items=1, crashes=0, invariant=anything, lock_free=True
    )
    assert (demanded.counterexample.kind, demanded.liveness_violation.kind) == ("endless", "blocked")
    only = prove(blocking.overwrites, nodes=2, items=1, crashes=0, invariant=anything)
    assert (only.lock_free, only.obstruction_free, only.liveness_violation) == (False, True, None)


def test_a_wait_that_the_search_passes_over_is_found():
    """The release goes first in the search, so it sees no state in which the lock is held and was asked for."""
    nodes = [blocking.locks_if_asked, blocking.is_inside, blocking.sees]
    for merge in (True, False):
        proof = prove(nodes, items=1, crashes=0, invariant=anything, merge=merge)
        assert (proof.ok, proof.lock_free, proof.obstruction_free) == (True, False, False), merge
        assert "to acquire lock x, which node 2 holds" in proof.liveness_violation.sentence


def test_a_node_that_waits_only_for_input_is_not_blocked():
    programs = database_twins(2, filled=False)
    proof = prove(programs, invariant=counted_once(2), crashes=0)
    assert (proof.ok, proof.lock_free, proof.awaits_input, proof.liveness_violation) == (True, True, True, None)
    assert "A node waits only for input" in str(proof)
    filled = prove(database_twins(2, filled=True), invariant=counted_once(2), crashes=0)
    assert (filled.lock_free, filled.awaits_input) == (True, False)
    assert "only for input" not in str(filled)


def test_a_node_that_waits_for_more_than_input_is_blocked_beside_one_that_does_not():
    def locking(node):
        with node.lock("index"):
            counter_sink(node)

    one, other, filler = database_twins(2, filled=False)
    programs = [one.handled_by(locking), other.handled_by(locking), filler]
    proof = prove(programs, invariant=counted_once(2), crashes=0)
    assert (proof.ok, proof.lock_free) == (True, False), str(proof)
    assert "to acquire lock index" in proof.liveness_violation.sentence


def test_a_reader_that_waits_for_the_end_of_a_transaction_waits_for_more_than_input():
    """There is a record, which may not be seen yet: it is another's marker that is missing."""
    store, whole = MemoryStore("log"), [0, 1, [1], "read_committed"]
    store.do("p", "create", {})
    assert isinstance(store.waits_for("p", "poll", *whole), NoInput)
    of = {"acks": "all", "producer": 1, "producer_epoch": 0, "sequence": 0, "transactional": True}
    store.do("p", "produce", [[None, "x"]], of)
    why = store.waits_for("p", "poll", *whole)
    assert why is not None
    assert not isinstance(why, NoInput)
    assert store.waits_for("p", "poll", 0, 1, [1]) is None, "read_uncommitted sees it"


def test_a_loop_in_which_a_version_grows_is_endless():
    proof = prove(blocking.prepares_again, items=1, crashes=0, invariant=anything)
    assert (proof.counterexample.kind, proof.states) == ("endless", 6), str(proof)


def test_one_that_spins_and_writes_waits_and_breaks_nothing():
    handler = blocking.spins_and_shows_signs_of_life
    proof = prove(handler, nodes=2, items=1, crashes=0, invariant=anything)
    assert (proof.ok, proof.lock_free, proof.liveness_violation.kind) == (True, False, "blocked")
    assert replay(proof.liveness_violation.token, handler).run.outcome == proof.liveness_violation.run.outcome
    crashed = prove(handler, nodes=2, items=1, crashes=1, invariant=anything)
    assert (crashed.ok, crashed.counterexample.kind) == (False, "blocked"), "the lock outlives its holder"


def test_the_version_abstraction_loses_no_outcome():
    case = Case.within([blocking.two_versions_at_once], Job(items=1), Bounds(2, 1, crashes=1), invariant=anything)
    told, states = [], []
    for renumbers in (False, True):
        prover = Prover(case, Limits(100_000, 1_000), symmetric=False, merge=True)
        search = prover.search(first=False)
        if renumbers:
            search.transitions.abstraction = VersionAbstraction(prover.automaton)
        found = search.in_any_order(prover.limits)
        assert found.exhausted
        told.append({prover.contents.outcome(world).outputs for world in found.outcomes})
        states.append(found.states)
        prover.close()
    assert told[0] == told[1]
    assert states[1] < states[0]


def test_a_counter_is_no_version():
    assert prove(blocking.overwrites_twice, nodes=2, items=1, crashes=0, invariant=anything).ok


def test_the_lock_free_queue_is_lock_free():
    def pusher(node):
        Queue(node.registers, "output").push(node.number)

    proof = prove(pusher, nodes=2, items=1, crashes=0, invariant=anything)
    assert (proof.ok, proof.lock_free, proof.liveness_violation) == (True, True, None)
    assert "Lock-free:" in str(proof)
    assert prove(hourly_means, nodes=2, items=2, crashes=1, lock_free=True).ok


@pytest.mark.parametrize("name", [*TWO[:-2], "spins", "never_lets_go", "overwrites_the_state", "two_to_one"])
def test_what_is_said_of_progress_is_the_same_without_reductions(name):
    handler = getattr(blocking, name)
    bounds = {"nodes": 2, "items": 1, "invariant": anything}
    for faults in ({"crashes": 0}, {"crashes": 1}, {"crashes": 0, "pauses": 1}):
        merged = prove(handler, **bounds, **faults)
        case = Case.within([handler], Job(items=1), Bounds(2, 1, **faults), invariant=anything)
        plain = Prover(case, Limits(100_000, 1_000), symmetric=False, merge=True)
        plain.merge = False
        plain = plain.prove(lock_free=False)
        assert (merged.ok, merged.lock_free, merged.exhausted) == (plain.ok, plain.lock_free, plain.exhausted)
        for one, other in (
            (merged.counterexample, plain.counterexample),
            (merged.liveness_violation, plain.liveness_violation),
        ):
            assert (one and one.kind) == (other and other.kind)
            assert (one and len(one.schedule)) == (other and len(other.schedule)), "as simple"


def test_different_programs_know_their_numbers():
    def one(node):
        node.output.push([node.number, node.nodes])

    def other(node):
        node.output.push([node.number, node.nodes])

    proof = prove([one, other], items=1, crashes=0, invariant=lambda view: not view.done or len(view.outputs) == 2)
    assert proof.ok
    assert proof.runs == 2
    alone = prove(one, nodes=2, items=1, crashes=0)
    assert alone.counterexample.kind == "outcome", "alone it is node 1 of 1"


@pytest.mark.parametrize(
    "wrong",
    [
        lambda node: node.send(3, "x"), lambda node: node.send(0, "x"), lambda node: node.send("2", "x"),
        lambda node: node.send(2, object()), lambda node: node.receive(3), lambda node: node.receive("1"),
        lambda node: node.lock(None), lambda node: node.lock(""),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(wrong):
    proof = prove(wrong, nodes=2, items=1, crashes=0, invariant=anything)
    assert proof.counterexample.kind == "raised"
    assert "BadInput" in proof.counterexample.sentence


def test_the_child_process_proves_the_same():
    here = prove(blocking.in_a_fixed_order, nodes=2, items=1, invariant=anything)
    there = prove_safely(blocking.in_a_fixed_order, nodes=2, items=1, invariant=anything)
    assert (there.ok, there.lock_free, there.states) == (here.ok, here.lock_free, here.states)
    assert there.liveness_violation.token == here.liveness_violation.token
    assert there.json()["liveness_violation"]["kind"] == "blocked"


def test_bad_numbers_of_nodes():
    with pytest.raises(BadInput, match="2 handlers were given for 3 nodes"):
        prove([blocking.spins, blocking.spins], nodes=3, invariant=anything)
    with pytest.raises(BadInput, match="the number of nodes is 'two'; it must be a whole number"):
        prove(blocking.spins, nodes="two", invariant=anything)
