"""What the end of an incarnation frees, others can see: a step that ends it does not go before their steps."""

from types import SimpleNamespace

import pytest

from exactly_once import prove
from exactly_once.errors import BadInput, OutcomeUnknown
from exactly_once.stores import SerializationFailure
from tests.explore.searching import proved_in_any_order


def holds_a_lock_to_its_end(node):
    node.lock("l").acquire()
    node.registers.cas("held", 0, 1)
    node.crash_point("A")


def passes_it_on(node):
    if node.registers.read("held")[1]:
        node.registers.cas("passed on", 0, 1)


def waits_for_the_lock(node):
    if node.registers.read("passed on")[1]:
        node.lock("l").acquire()


def test_who_waits_for_a_lock_that_is_held_until_the_end_is_seen():
    nodes = [holds_a_lock_to_its_end, passes_it_on, waits_for_the_lock]
    assert [proved_in_any_order(nodes, merge=merge).lock_free for merge in (True, False)] == [False, False]


def reads_in_a_session(node, *, send):
    """Leave a session open to the end, or to a message that goes out only once."""
    if node.registers.read("began")[1]:
        return
    node.registers.cas("began", 0, 1)
    session = node.store("db").begin("serializable")
    session.read("r")
    node.registers.cas("open", 0, 1)
    if send:
        node.send(4, "m")
        node.registers.cas("sent", 0, 1)
        session.commit()
    else:
        node.crash_point("A")


def leaves_a_session(node):
    reads_in_a_session(node, send=False)


def sends_in_a_session(node):
    reads_in_a_session(node, send=True)


def fails_beside_that_session(node):
    if not node.registers.read("open")[1]:
        return
    failed, session = False, node.store("db").begin("serializable")
    try:
        session.read("s")
        session.insert("r", 1)
        session.commit()
    except SerializationFailure:
        failed = True
    if failed:
        node.registers.cas("failed", 0, 1)


def writes_for_it(node):
    session = node.store("db").begin("serializable")
    try:
        session.insert("s", 1)
        session.commit()
    except SerializationFailure:
        pass


def receives_once(node):
    if node.registers.read("failed")[1] and not node.registers.read("tried")[1]:
        node.registers.cas("tried", 0, 1)
        node.receive(1)


def test_who_fails_beside_a_session_that_is_open_until_the_end_is_seen():
    nodes = [leaves_a_session, fails_beside_that_session, writes_for_it]
    for merge in (True, False):
        proof = proved_in_any_order(nodes, lambda view: not view.registers.get("failed"), merge)
        assert (proof.headline, proof.counterexample.kind) == ("Broken", "invariant")


def test_whom_an_open_session_made_fail_before_its_owner_died_is_seen():
    nodes = [sends_in_a_session, fails_beside_that_session, writes_for_it, receives_once]
    proof = proved_in_any_order(nodes, crashes=1)
    assert (proof.headline, proof.counterexample.kind) == ("Broken", "deadlock")


def receives_late(node):
    known = SimpleNamespace(**{name: node.registers.read(name)[1] for name in ("begun", "late", "sent")})
    if known.begun:
        if known.late and known.sent:
            node.receive(2)
        return
    node.registers.cas("begun", 0, 1)
    try:
        node.receive()
    except OutcomeUnknown:
        try:
            node.registers.cas("late", 0, 1)
        except OutcomeUnknown:
            return
        node.crash_point("A")


def sends_second(node):
    if node.registers.read("late")[1]:
        node.registers.cas("sent", 0, 1)
        node.send(1, "m")


def sends_first(node):
    node.send(1, "x")


def test_a_late_receive_that_arrives_before_the_death_at_the_last_point_is_seen():
    proof = proved_in_any_order([receives_late, sends_second, sends_first], crashes=1, late_requests=1)
    assert (proof.headline, proof.counterexample.kind) == ("Broken", "deadlock")


@pytest.mark.parametrize(("part", "kind"), [("inbox.1", "inbox"), ("lock.l", "lock")])
def test_a_rule_does_not_look_at_what_only_its_nodes_can_see(part, kind):
    with pytest.raises(BadInput, match=f"A rule cannot look at the {kind} '{part}'"):
        prove(sends_first, nodes=2, invariant=lambda view: not view.look("engine", part, kind))


def counts_for_a_while(node):
    node.store("s").add("k", 1)
    while node.store("s").total("k") > 0:
        node.store("s").add("k", -1)


def test_what_no_run_without_faults_shows_on_its_way_is_named():
    proof = prove([counts_for_a_while, lambda node: node.registers.read("x")], items=1, crashes=1)
    assert proof.counterexample.sentence == "Not as in any run without faults: k is 2."
