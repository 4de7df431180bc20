"""What the search leaves out loses nothing: its outcomes are those of the plain search, for every kind of fault."""

import pytest

from exactly_once.handlers import at_least_once, at_most_once
from exactly_once.lockfree import flawed, hourly_means
from tests.explore import blocking
from tests.explore.forms import with_a_class
from tests.explore.places import PLACES
from tests.explore.searching import outcomes
from tests.explore.traps import TRAPS, written

HANDLERS = {one.__name__: one for one in (at_least_once, hourly_means, flawed.plain_push, with_a_class)}
SEVERAL = (
    {"crashes": 1, "pauses": 1},
    {"crashes": 1, "lost_replies": 1, "duplicates": 1},
    {"pauses": 1, "lost_requests": 1},
    {"pauses": 2},
    {"late_requests": 1, "crashes": 1},
    {"late_requests": 1, "pauses": 1},
    {"late_requests": 1, "duplicates": 1},
)


def contends(node):
    """Three cas on one register, each by what was read before, and the output tells which took place."""
    version, _ = node.registers.read("a")
    done = [node.registers.cas("a", version + late, node.choose([1, 2])) for late in (0, 0, 1)]
    node.output.push(done)


def same(handler, **bounds):
    merged, fewer = outcomes(handler, True, **bounds)
    plain, more = outcomes(handler, False, **bounds)
    assert merged == plain
    assert fewer <= more


@pytest.mark.parametrize("bounds", SEVERAL, ids=str)
@pytest.mark.parametrize("name", HANDLERS)
@pytest.mark.some(day=8, ci=12)
def test_several_faults_in_one_run(name, bounds):
    same(HANDLERS[name], **bounds)


@pytest.mark.parametrize("bounds", [{"crashes": 1}, {"lost_replies": 1}], ids=str)
@pytest.mark.parametrize("handler", [at_most_once, contends], ids=lambda one: one.__name__)
def test_two_nodes(handler, bounds):
    same(handler, nodes=2, **bounds)


@pytest.mark.parametrize("bounds", [{"crashes": 1, "duplicates": 1}, {"pauses": 1, "lost_replies": 1}], ids=str)
@pytest.mark.parametrize(
    "name", ["closure", "a_global", "shared_or_equal", "nested_loops", "a_bare_raise", "an_object_with_attributes"]
)
def test_traps(name, bounds):
    same(written(name, (TRAPS | PLACES)[name]), **bounds)


@pytest.mark.parametrize("name", ["locked", "by_hand", "in_a_fixed_order", "locks_of_two_names"])
def test_locks_and_a_pause(name):
    same(getattr(blocking, name), nodes=1, pauses=1)
    same(getattr(blocking, name), nodes=1, pauses=1, crashes=1)
