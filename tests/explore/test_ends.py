"""What the end of an incarnation frees, others can see: a step that ends it does not go before their steps."""

import contextlib
from types import SimpleNamespace

import pytest

from exactly_once import Job, Partition, Program, prove, replay_on_cluster, simulate
from exactly_once.errors import BadInput, CourseError, OutcomeUnknown
from exactly_once.explore import replay
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


def adds_twice(node):
    seen = node.store("s").scan("l")
    if len(seen) == 2:
        node.output.push("bad")
    if not seen:
        node.store("s").append("l", 1)


def pushes_last(node):
    if not node.output.read(0):
        with contextlib.suppress(OutcomeUnknown):
            node.output.push("bad")


@pytest.mark.parametrize(
    ("handler", "fault", "most"), [(adds_twice, "duplicates", 0), (pushes_last, "late_requests", 1)]
)
def test_after_a_fault_at_its_last_step_an_incarnation_can_die(handler, fault, most):
    proof = prove(handler, items=1, crashes=1, **{fault: 1}, invariant=lambda view: view.outputs.count("bad") <= most)
    assert proof.headline == "Broken"
    plan = replay(proof.counterexample.token, handler).run.plan
    assert [one.kind for one in plan.faults][1:] == ["crash after"]
    assert [push.value for push in simulate(handler, plan, Job(items=1)).pushes] == ["bad"] * (most + 1)
    with pytest.raises(BadInput, match="no cluster does both"):
        replay_on_cluster(proof.counterexample.token, handler)


def goes_round_asleep(node):
    first = node.store("s").add("n", 1) == 1
    while first and not node.registers.cas("x", 0, "one"):
        pass
    if first:
        return
    node.lock("k").acquire()
    step = node.store("s").read("step")[1]
    if step is None:
        node.store("s").write("step", "begun")
        node.store("s").write("step", "finished")
    elif step == "begun" and node.registers.cas("x", 0, "mended"):
        node.output.push("bad")


def test_a_sleeper_that_goes_round_for_ever_does_not_keep_the_others_from_going():
    proof = proved_in_any_order(goes_round_asleep, lambda view: not view.outputs, crashes=1, pauses=1)
    assert (proof.headline, proof.counterexample.kind) == ("Broken", "invariant")


def beats(node):
    while True:
        version, done = node.registers.read("done")
        if done:
            break
        version, done = node.registers.read("beat")
        node.registers.cas("beat", version, "alive")
        node.crash_point("A")


def prepares(node):
    node.store("s").read("a")
    value = node.choose([1, 2])
    node.store("s").prepare("p", ("write", "a", value))
    value = None
    node.store("s").commit_prepared("p")
    node.output.push(node.store("s").read("a")[1])
    node.registers.cas("done", 0, "yes")


def test_what_a_prepared_transaction_will_write_is_told_apart_where_versions_are_left_out():
    proof = proved_in_any_order([beats, prepares], lambda view: 2 not in view.outputs)
    assert (proof.headline, proof.counterexample.kind) == ("Broken", "invariant")


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


def reads_first(node):
    node.read(node.start)
    node.output.push(1)


def test_a_choice_within_the_first_read_is_told():
    proof = prove(reads_first, job=Job(items=1, time="processing"), invariant=lambda view: not view.outputs)
    assert proof.counterexample.explanation == ("Incarnation 1: begin; read hour 1 in hour 1; push 1.",)


def test_what_a_prepared_transaction_holds_is_compared_as_observers_see_it():
    nodes = [lambda node: node.store("s").prepare("p", ("append", "l", 1)), reads_first]
    assert prove(nodes, items=1, crashes=0).ok


def sends_no_output(node):
    producer = node.transactions.producer("t")
    producer.init_transactions()
    _, after = node.read(node.transactions.positions())
    producer.begin_transaction()
    producer.send("changelog", [1])
    producer.send_offsets_to_transaction(after, "streams")
    producer.commit_transaction()


def test_a_transaction_of_the_abstract_store_is_whole():
    program = Program(sends_no_output, Job(items=1), Partition("output"), protocol="abstract")
    with pytest.raises(CourseError, match="The transaction lacks output"):
        prove(program, items=1)
