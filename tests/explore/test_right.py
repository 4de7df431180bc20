"""What is right is computed twice, for runs one after the other and for the explorer's worlds: both must agree."""

import pytest

from exactly_once.explore.bounds import Bounds
from exactly_once.explore.model.automaton import Automaton
from exactly_once.explore.model.store_contents import Contents
from exactly_once.explore.prover import Anything
from exactly_once.explore.search.properties import FaultFree, Ideal
from exactly_once.explore.search.search import Limits, Search
from exactly_once.handlers import ORDERS, at_least_once, at_most_once, handler_in_order
from exactly_once.handlers.logs.consumer import consumer
from exactly_once.handlers.logs.producer import PRODUCERS
from exactly_once.lockfree import hourly_means
from exactly_once.node import LogSource, Numbers, Partition, Program
from exactly_once.pipeline import Job
from exactly_once.simulate import simulate
from exactly_once.verdict import ideal_outcomes

TWO = Job(items=2)
LOG = Partition("readings")
SINGLE = [
    *(Program(handler, TWO) for handler in (at_least_once, at_most_once, hourly_means)),
    *(Program(handler_in_order(order), TWO) for order in ORDERS[::5]),
    Program(at_least_once, Job(items=2, arrival="as it comes")),
    *(Program(handler, Numbers(2), LOG, "producer") for handler in PRODUCERS.values()),
]


def explored(*programs):
    """Return the right outcomes as the explorer finds them, for one program or several."""
    contents = Contents(*programs)
    automaton = Automaton(programs, contents)
    try:
        if len(programs) == 1:
            return Ideal(automaton, automaton.starts[0], programs[0]).outcomes
        search = Search(automaton, Anything(), Bounds(len(programs), crashes=0), first=False)
        return FaultFree(search, Limits(100_000, 60)).outcomes
    finally:
        automaton.close()


@pytest.mark.parametrize("program", SINGLE, ids=lambda program: f"{program.handler.__name__}, {program.source}")
def test_runs_and_the_explorer_agree_on_what_is_right(program):
    assert {ideal.outcome for ideal in ideal_outcomes(program)} == explored(program)


@pytest.mark.parametrize("position", ["first", "last"])
@pytest.mark.parametrize("update", ["add", "overwrite"])
def test_of_two_nodes_each_order_of_steps_without_faults_is_right(position, update):
    programs = [
        Program(PRODUCERS["retry"], Numbers(3), LOG, "producer"),
        Program(consumer(position, update), LogSource(LOG), "effects", "consumer"),
    ]
    right = explored(*programs)
    assert {simulate(programs, seed=seed).outcome for seed in range(12)} <= right
    assert len(right) == 1, "a log has one order, and so has what is read from it"
