"""Pictures of runs that write to registers: each register is a lane, and an output cell is the output."""

from exactly_once import Fault, FaultPlan, Job, judge, show, simulate
from exactly_once.lockfree import flawed, hourly_means


def verdict_of(handler, items, *faults):
    return judge(simulate(handler, FaultPlan(faults), Job(items=items)), handler)


def test_an_output_cell_is_on_the_tape_and_a_double_is_marked():
    right = verdict_of(hourly_means, 3)
    assert show.tape_table(right)["mark"].tolist() == ["✓"] * 3
    where = set(show.trace_table(right.run.trace)["where"])
    assert {"machine", "output.hint", "output.0", "output.1", "inputs", "incarnation 1"} <= where
    assert "keeps what it needs in registers" in show.facts_html(right)
    twice = verdict_of(flawed.without_preparing, 2, Fault("register.cas", 1, "crash after"))
    assert show.tape_table(twice)["mark"].tolist() == ["✓", "× twice", "✓"]
