"""Each handler behind the doors has the same proof at the same cost, or the same counterexample."""

import inspect

import pytest

import exactly_once.handlers
import exactly_once.lockfree
from exactly_once import CourseError, doors, prove
from exactly_once.explore import KINDS

from . import compare

pytestmark = pytest.mark.slow
BOUNDS = (
    {"nodes": 1, "items": 3, "crashes": 1},
    {"nodes": 1, "items": 2, "crashes": 2},
    *({"nodes": 2, "items": 1, "crashes": 0, kind: 1} for kind in KINDS),
)
MOST = 30_000  # states


def handlers():
    """Return {name: handler} of the functions behind the doors that take a node and nothing else."""
    found = {}
    for door in ("handlers", "lockfree"):
        for name in doors.DOORS[f"exactly_once.{door}"]:
            one = getattr(getattr(exactly_once, door), name)
            if inspect.isfunction(one) and list(inspect.signature(one).parameters) == ["node"]:
                found[name] = one
    orders = exactly_once.handlers.ORDERS
    return found | {f"order {order}": exactly_once.handlers.handler_in_order(order) for order in orders}


def told(handler, bounds):
    """Return what the explorer says of a handler within bounds: verdict, states, runs, the way to damage."""
    try:
        proof = prove(handler, **bounds, state_limit=MOST)
    except CourseError as error:
        return f"{type(error).__name__}: {error}"
    found = proof.counterexample
    way = "" if found is None else f"; {found.token}; {found.kind}; {found.sentence}"
    return f"{'ok' if proof.ok else proof.stopped or 'broken'}; {proof.states} states, {proof.runs} runs{way}"


@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", handlers())
def test_proofs(name):
    handler = handlers()[name]
    compare(f"proofs/{name}", {str(bounds): told(handler, bounds) for bounds in BOUNDS})
