"""Stories and sentences of schedules: what each step did and read, the decisive steps always, and why a wait
counts.
"""

import html
import re

import pytest

from exactly_once import Fault, FaultPlan, Job, OutcomeUnknown, judge, prove, simulate
from exactly_once.handlers import at_least_once
from exactly_once.widgets import debugger

NO_FAULT = FaultPlan()


def anything(view):
    return True


def spinlock(node):
    """Wait for the lock in a loop, and set it free again."""
    while True:
        version, held = node.registers.read("lock")
        if not held and node.registers.cas("lock", version, 1):
            break
    node.output.push(1)
    version, _ = node.registers.read("lock")
    node.registers.cas("lock", version, 0)


def never_free(node):
    while not node.registers.cas("lock", 0, "mine"):
        pass


def spoken(handler, plan=NO_FAULT, items=1):
    """Return the debugger's sentences of all moments of a run, without tags, and what the stores hold at the end."""
    shown, said = debugger(simulate(handler, plan, Job(items=items)), handler), []
    for at in range(len(shown.model.steps)):
        shown.go(at + 1)
        said.append(html.unescape(re.sub("<.*?>", "", shown.says)))
    return said, {part.part: part.text for part in shown.model.steps.stores(at)}


def test_a_refused_cas_never_reads_like_a_done_one():
    def handler(node):
        if not node.registers.cas("x", 0, node.state.load() or 0):
            node.output.push("late")
        node.state.save(1)

    explanation = prove(handler, items=1).counterexample.explanation
    told = [line for line in explanation if "cas x, version 0: " in line]
    assert [line.count(": refused") for line in told] == [0, 1]


def test_a_value_that_reads_refused_was_written_all_the_same():
    def handler(node):
        node.registers.cas("x", 0, "refused")
        node.state.save("refused")

    said, held = spoken(handler)
    assert not any("it is refused" in line for line in said)
    assert held == {"register.x": "refused", "state": "refused"}


def test_a_read_says_what_it_read():
    explanation = " ".join(prove(at_least_once, items=2, job=Job(items=2)).counterexample.explanation)
    assert "load positions: nothing yet" in explanation
    said = " ".join(spoken(at_least_once, FaultPlan.crash("A", 2), items=2)[0])
    assert "the saved state: it gives window of hour 1." in said
    assert "the inputs: it gives san_francisco 47.8, seattle 39.4." in said


def test_a_value_of_none_is_none_and_not_nothing_yet():
    def handler(node):
        node.state.save(None)

    assert any("it now holds None" in line for line in spoken(handler)[0])


@pytest.mark.parametrize("arrival", ["together", "as it comes"])
def test_a_read_past_the_end_names_no_hour_that_is_none(arrival):
    def handler(node):
        positions = node.start
        while True:
            _, positions = node.read(positions)
            node.output.push(1)

    run = simulate(handler, job=Job(items=2, arrival=arrival))
    reads = [event.text for event in run.trace if event.verb == "read"]
    assert reads[-1] == "read past the end"
    assert max(event.item or 0 for event in run.trace) == 2
    if arrival == "as it comes":
        assert all(re.fullmatch(r"read hour [12]( of \w+)?", text) for text in reads[:-1])


def test_the_decisive_steps_are_never_left_out():
    def careful(node):
        for number in range(4):
            for name in "abcdef":
                node.registers.read(name)
            node.output.push(number)

    explanation = prove(careful, items=1).counterexample.explanation
    assert any("… 4 steps that write nothing …" in line for line in explanation)
    assert not any(" more)" in line for line in explanation)
    pushes = sum(line.count("push ") for line in explanation)
    assert pushes == len(prove(careful, items=1).counterexample.run.pushes)


def test_equal_steps_in_a_row_are_counted():
    def patient(node):
        for _ in range(9):
            node.registers.cas("x", 3, "never")
        node.output.push(1)

    line = prove(patient, items=1).counterexample.explanation[0]
    assert "cas x, version 3: never: refused (9 times)" in line


def test_one_step_that_goes_round_is_one_step():
    def idle(node):
        while True:
            node.crash_point("A")

    sentence_of = prove(idle, items=1, invariant=anything).counterexample.sentence
    assert sentence_of.startswith("The last step of this schedule can be repeated for ever: nothing gets done.")


def test_why_one_endless_wait_breaks_a_handler_and_another_does_not():
    broken = prove(never_free, nodes=2, items=1, crashes=0, invariant=anything)
    assert "This breaks the handler: no node is stopped" in broken.counterexample.sentence
    hindered = prove(spinlock, nodes=2, items=1, crashes=0, invariant=anything)
    assert hindered.ok
    assert "This is no violation: it lasts only while another node is stopped" in hindered.liveness_violation.sentence
    asked = prove(spinlock, nodes=2, items=1, crashes=0, invariant=anything, lock_free=True)
    assert "since lock_free=True asks" in asked.counterexample.sentence


def test_what_is_doubtful_is_said_once():
    def part(node):
        node.read(node.start)
        node.database.increment()

    text = str(prove(part, items=2))
    assert text.count("nothing to the output") == 1
    assert "writes nothing to the output and leaves some of its inputs unread" in text


def test_a_handler_without_output_is_not_proved_to_have_everything_there_once():
    def silent(node):
        positions = node.positions.load()
        while node.running():
            _, positions = node.read(positions)
            node.positions.save(positions)

    proof = prove(silent, items=2)
    assert proof.ok
    assert proof.headline == "Proved: no violation within these bounds, but nothing is written to the output"
    assert proof.json()["silent"]
    assert "nothing to the output" in " ".join(proof.warnings)
    verdict = judge(simulate(silent, FaultPlan((Fault("positions.save", 2, "crash before"),))), silent)
    assert verdict.exactly_once
    assert verdict.sentence.startswith("No output: even without any fault this handler writes nothing to the output")
    assert "Incarnation 2 found positions at hour 1 and did hour 2 again." in verdict.sentence
    assert not prove(at_least_once, items=2).silent


def test_a_lost_outcome_in_a_class_of_the_learners_own_ends_the_life_only():
    class Lost(OutcomeUnknown):
        def __str__(self):
            raise KeyError("no text")

    def handler(node):
        if not node.state.load():
            node.state.save(1)
            raise Lost

    run = simulate(handler, job=Job(items=1))
    assert run.error is None
    assert [death.text for death in run.trace.deaths()] == ["gave up: Lost, whose text cannot be had: KeyError"]


def test_what_a_handler_leaves_in_a_store_of_its_own_is_no_silence():
    def charging(node):
        positions = node.positions.load()
        while node.running():
            _, positions = node.read(positions)
            node.store("payments").write("charge", positions["seattle"])
            node.positions.save(positions)

    proof = prove(charging, items=2)
    assert (proof.headline, proof.silent) == ("Proved: no violation within these bounds", False)
    verdict = judge(simulate(charging, FaultPlan((Fault("positions.save", 2, "crash before"),))), charging)
    assert verdict.sentence.startswith("Exactly once: what it left in its stores is right")
    assert not verdict.silent
