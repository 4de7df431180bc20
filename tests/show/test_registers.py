"""Pictures of runs that write to registers: each register is a lane, and an output cell is the output."""

from exactly_once import show
from exactly_once.faults import Fault, FaultPlan
from exactly_once.lockfree import flawed, hourly_means
from exactly_once.pipeline import Job
from exactly_once.show.diagrams.layout import lay_out
from exactly_once.show.diagrams.svg import repeats
from exactly_once.show.verdicts.tape import entries
from exactly_once.simulate import simulate
from exactly_once.verdict import judge


def verdict_of(handler, items, *faults):
    return judge(simulate(handler, FaultPlan(faults), Job(items=items)), handler)


def test_each_register_is_a_lane_with_cells_in_the_order_of_their_indices():
    lanes = lay_out(verdict_of(hourly_means, 12).run.trace, 12).lanes.values()
    titles = [lane.title for lane in lanes if not lane.life]
    assert titles == ["inputs", "machine", "output.hint", *(f"output.{index}" for index in range(12))]
    assert len({lane.y for lane in lanes}) == len(lanes)


def test_every_event_of_a_register_is_drawn_on_its_lane():
    layout = lay_out(verdict_of(hourly_means, 2).run.trace, 1)
    drawn = {event.process for event in layout.drawn}
    assert {"incarnation 1", "register.machine", "register.output.0"} <= drawn
    assert all(layout.at(event)[1] == layout.lanes[event.process].y for event in layout.drawn)
    assert "machine" in show.spacetime(verdict_of(hourly_means, 2))._repr_html_()
    where = set(show.trace_table(verdict_of(hourly_means, 2).run.trace)["where"])
    assert {"machine", "output.hint", "output.0", "output.1", "inputs", "incarnation 1"} == where


def test_an_output_cell_is_on_the_tape_and_a_double_is_marked():
    right = verdict_of(hourly_means, 3)
    assert [cell.item for cell in entries(right)] == [1, 2, 3]
    assert "keeps what it needs in registers" in show.facts_html(right)
    twice = verdict_of(flawed.without_preparing, 2, Fault("register.cas", 1, "crash after"))
    assert show.tape_table(twice)["mark"].tolist() == ["✓", "× twice", "✓"]


def test_a_second_cell_for_an_item_is_marked_in_the_drawing():
    def twice_over(node):
        items, _ = node.read(node.start)
        for index in (0, 0, 1):
            node.registers.cas(f"output.{index}", 0, items[0].hour)

    layout = lay_out(simulate(twice_over, job=Job(items=1)).trace, 1)
    marked = [event for event in layout.drawn if id(event) in repeats(layout)]
    assert [event.process for event in marked] == ["register.output.1"], "the refused cas put nothing there"
