"""The verdict judges everything that a handler leaves behind, or names it as overlooked."""

from dataclasses import replace

import pytest

from exactly_once import Fault, FaultPlan, Job, OutcomeUnknown, Partition, Program, prove, simulate
from exactly_once.handlers import at_least_once, offset_in_sink, two_phase
from exactly_once.verdict import Beginning, Outcome, ideal_outcomes, judge

ONE = Job(items=1)


def rows(node):
    sold = node.database.begin()
    sold.insert("sold", 0)
    sold.add("sold", 1)
    sold.commit()


def rows_elsewhere(node):
    sold = node.store("shop").begin("serializable")
    sold.insert("sold", 0)
    sold.add("sold", 1)
    sold.commit()


def offsets(node):
    node.log.commit("readings-0", "group", (node.log.committed("readings-0", "group") or 0) + 1)


def messages(node):
    node.send(1, "hello")


def messages_of_a_queue(node):
    engine = node.engine()
    engine.fence()
    engine.begin()
    engine.send("hello")
    engine.save_positions(node.positions.load())
    engine.commit()


def a_register(node):
    version, sold = node.registers.read("sold")
    node.registers.cas("sold", version, (sold or 0) + 1)


def a_queue_in_registers(node):
    index = 0
    while not node.registers.cas(f"bills.{index}", 0, "bill"):
        index += 1


def a_cell(node):
    _, sold = node.store("shop").read("sold")
    node.store("shop").write("sold", (sold or 0) + 1)


def a_cell_that_is_called_as_the_counter(node):
    _, sold = node.database.read("counter")
    node.database.write("counter", (sold or 0) + 1)


def a_log_that_is_called_as_the_counter(node):
    node.database.append("counter", 1)


def a_cell_and_a_log_of_one_name(node):
    node.store("shop").write("sold", 1)
    node.store("shop").append("sold", 1)


def a_number(node):
    node.store("shop").add("sold", 1)


def the_counter_of_a_key(node):
    node.database.increment("apples")


def another_partition(node):
    node.log.append("bills-0", [("a", 1)])


def a_key_of_the_output(node):
    """The key tells how many lives there were, and the value does not."""
    _, lives = node.store("shop").read("lives")
    node.store("shop").write("lives", 1)
    node.output.push(1, "again" if lives else "first")


DOUBLED = {  # handlers whose effect a second incarnation doubles, and the verdict's words
    rows: "row sold holds 2 and should hold 1",
    rows_elsewhere: "shop row sold holds 2 and should hold 1",
    offsets: "log readings-0, the offset of group group holds 2 and should hold 1",
    messages: "inbox 1 holds [[1, hello], [1, hello]] and should hold [[1, hello]]",
    messages_of_a_queue: "bills holds [hello, hello] and should hold [hello]",
    a_register: "sold holds 2 and should hold 1",
    a_queue_in_registers: "bills.1 holds bill and should not be there",
    a_cell: "shop sold holds 2 and should hold 1",
    a_cell_that_is_called_as_the_counter: "counter holds 2 and should hold 1",
    a_log_that_is_called_as_the_counter: "counter holds [1, 1] and should hold [1]",
    a_cell_and_a_log_of_one_name: "shop sold holds [1, 1] and should hold [1]",
    a_number: "shop sold holds 2 and should hold 1",
    the_counter_of_a_key: "counter apples holds 2 and should hold 1",
    another_partition: "log bills-0 holds [[a, 1], [a, 1]] and should hold [[a, 1]]",
}


def made(handler):
    if handler is messages_of_a_queue:
        return Program(handler, ONE, queue="bills")
    return handler


def twice(handler):
    """Return the verdict on a run in which a second life does all of it again."""

    def does(node):
        handler(node)
        node.crash_point("A")

    program = made(does) if handler is not messages_of_a_queue else Program(does, ONE, queue="bills")
    job = None if isinstance(program, Program) else ONE
    return judge(simulate(program, FaultPlan([Fault("A", None)]), job), program)


@pytest.mark.parametrize("handler", DOUBLED, ids=lambda one: one.__name__)
def test_the_explorer_finds_it(handler):
    program = made(handler)
    proof = prove(program, items=1, crashes=1) if not isinstance(program, Program) else prove(program, crashes=1)
    assert proof.counterexample is not None, str(proof)
    assert DOUBLED[handler] in proof.counterexample.sentence
    assert prove(program, items=1, crashes=0).ok


def test_keys_of_the_output_are_judged():
    program = Program(a_key_of_the_output, ONE, output=Partition("output"))
    proof = prove(program, crashes=1)
    assert "the keys holds" in proof.counterexample.sentence or "output, the keys" in proof.counterexample.sentence


def test_a_cell_that_holds_none_is_told_from_one_that_is_not_there():
    def writes(node):
        node.store("shop").write("sold", None)

    (ideal,) = ideal_outcomes(lambda node: None, ONE)
    verdict = judge(simulate(writes, None, ONE), writes, [ideal])
    assert verdict.damage.phrases() == ["shop sold holds nothing yet and should not be there"]


class TestNamed:
    """What is no part of an outcome is named in verdicts and proofs."""

    def test_what_a_deployment_keeps_for_itself(self):
        for handler, own in ((two_phase, "epoch in the database"), (offset_in_sink, "index in the database")):
            verdict = judge(simulate(handler, FaultPlan.crash("C", 1), Job(items=6)), handler)
            assert verdict.consistent
            assert f"Not looked at: {own}, which the handler keeps for itself." in verdict.sentence
            assert verdict.json()["overlooked"] == [f"{own}, which the handler keeps for itself"]
        proof = prove(two_phase, items=1, crashes=1)
        assert proof.ok
        assert "Not looked at: epoch in the database, which the handler keeps for itself." in str(proof)

    def test_registers_where_another_handler_says_what_is_right(self):
        verdict = judge(simulate(a_register, None, ONE), a_register, reference=lambda node: None)
        assert verdict.consistent
        assert "Not looked at: the register sold." in verdict.sentence
        proof = prove(a_register, items=1, crashes=1, reference=lambda node: None)
        assert proof.ok
        assert "Not looked at: the register sold." in proof.sentences

    def test_the_counter_where_nothing_is_asked_of_it(self):
        proof = prove(at_least_once, items=1, crashes=0, counter=False)
        assert proof.ok
        assert "Not looked at: the counter." in proof.sentences

    def test_nothing_is_named_where_all_is_judged(self):
        assert simulate(at_least_once).outcome.overlooked == ()
        assert prove(at_least_once, items=1, crashes=0).overlooked == ()

    def test_a_run_that_goes_on(self):
        def sells(node):
            positions = node.positions.load()
            while node.running():
                _, positions = node.read(positions)
                rows(node)
                node.send(1, "hello")
                node.positions.save(positions)

        run = simulate(sells, None, Job(items=3))
        verdict = Beginning(sells, Job(items=None)).judge(replace(run, outcome=Outcome.after(run.writes)))
        assert "Not looked at: rows, until the run has ended; the inbox of node 1, until the run has ended." in (
            verdict.sentence
        )


def test_an_unknown_outcome_is_no_excuse():
    """A handler that tries again when no reply comes adds twice."""

    def again(node):
        while True:
            try:
                node.store("shop").add("sold", 1)
                return
            except OutcomeUnknown:
                continue

    proof = prove(again, items=1, crashes=0, lost_replies=1)
    assert "shop sold holds 2 and should hold 1" in proof.counterexample.sentence


def test_outcomes_are_equal_exactly_when_no_damage_is_named():
    """The law of the verdict, over runs that leave all kinds of parts, each judged against each."""
    once = [simulate(made(one), None, None if one is messages_of_a_queue else ONE) for one in DOUBLED]
    runs = [*once, *(twice(handler).run for handler in DOUBLED)]
    (ideal,) = ideal_outcomes(rows, ONE)
    for run in runs:
        for other in runs:
            named = judge(run, rows, [replace(ideal, outcome=other.outcome)]).damage
            assert named.any == (run.outcome != other.outcome)
            assert bool(named.phrases()) == named.any
