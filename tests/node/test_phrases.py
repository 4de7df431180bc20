"""Damage in words: actual and expected values, and the reading of the hour; the same words everywhere."""

import pytest

from exactly_once import Fault, FaultPlan, Job, Numbers, Partition, Program, judge, show, simulate
from tests.node.fault_table import producer


def verdict_of(handler, *faults, job=None, seed=0):
    return judge(simulate(handler, FaultPlan(faults), job, seed), handler)


def test_a_wrong_value_is_said_with_the_right_one():
    def named(node):
        life = "second" if node.state.load() == "begun" else "first"
        node.state.save("begun")
        positions = node.positions.load()
        while node.running():
            items, positions = node.read(positions)
            node.crash_point("A")
            node.output.push(f"hour {items[0].hour} by the {life}")
            node.positions.save(positions)

    text = verdict_of(named, Fault("A", 2), job=Job(items=2)).sentence
    assert "the average of hour 2 is wrong: it is hour 2 by the second and should be hour 2 by the first" in text


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("lost reply", "The register.cas of incarnation 1 was done, but its reply was lost."),
        ("duplicated request", "arrived twice, and was refused the second time."),
    ],
)
def test_a_refused_cas_is_not_said_to_be_done(kind, said):
    def handler(node):
        node.registers.cas("x", 0, "value")
        node.output.push(1)

    assert said in verdict_of(handler, Fault("register.cas", None, kind)).sentence


def test_a_verdict_without_output_claims_nothing_of_it():
    def silent(node):
        positions = node.positions.load()
        while node.running():
            _, positions = node.read(positions)
            node.positions.save(positions)

    verdict = verdict_of(silent)
    assert show.headline(verdict) == ("–", "No output.", "none")
    assert (verdict.exactly_once, verdict.silent, verdict.json()["silent"]) == (True, True, True)
    assert "once" not in verdict.sentence


def test_records_are_called_records():
    program = Program(producer, Numbers(3), Partition("readings"), "producer")
    run = simulate(program, FaultPlan([Fault("output.push", 2, "crash after")]))
    said = judge(run, program).sentence
    assert "record 2 is in the output more than once" in said
    assert "in the pass of record 2, when it had appended to the partition readings" in said
    assert "hour" not in said
