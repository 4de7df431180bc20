"""Messages and locks on the cluster: schedules of several nodes, carried out by real processes, end as explored."""

import pytest

from exactly_once import prove
from exactly_once.clocks import mutual_exclusion
from exactly_once.explore import replay
from exactly_once.handlers import one_at_a_time
from exactly_once.simulate import CRASH, Decision, write_token
from exactly_once.spark import replay_many
from tests.explore import blocking
from tests.spark.comparing import shape

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster]


def anything(view):
    return True


def nobody_is_done(view):
    return not view.done


def case(handler, nodes=2, invariant=anything, **bounds):
    """Return (token, handler) of the simplest counterexample, or of what hinders a node."""
    proof = prove(handler, nodes=nodes, items=1, invariant=invariant, **{"crashes": 0, **bounds})
    return (proof.counterexample or proof.liveness_violation).token, handler


def a_death_with_a_lock():
    """Return the token of a schedule in which node 1 dies with a lock, and node 2 takes it."""
    handler = blocking.in_a_fixed_order
    whole = prove(handler, nodes=2, items=1, crashes=0, invariant=nobody_is_done).counterexample
    job, rest = whole.run.job, [decision for decision in whole.schedule if decision.actor == 1]
    steps = [Decision(0, "s"), Decision(0, CRASH), *rest, *[Decision(0, "s")] * len(rest)]
    return write_token([handler], job, 2, steps), handler


def test_schedules_with_messages_and_locks_end_as_they_were_explored(spark):
    cases = [
        case(blocking.one_then_other),
        case(blocking.ping_pong, invariant=nobody_is_done),
        case(blocking.two_to_one, invariant=nobody_is_done),
        case(mutual_exclusion(1, 0), invariant=one_at_a_time),
        case(blocking.insistent, invariant=nobody_is_done, lost_replies=1),
        case(blocking.spins),
        a_death_with_a_lock(),
    ]
    for (token, handler), run in zip(cases, replay_many(cases), strict=True):
        explored = replay(token, handler).run
        assert run.outcome == explored.outcome
        assert shape(run) == shape(explored)
