"""The search as a Spark job: every seed once, the same rows as walked here, and tokens that the cluster replays."""

import os

import pytest

from exactly_once.errors import BadInput, CourseError, HandlerStuck
from exactly_once.explore import replay
from exactly_once.handlers import at_least_once, at_most_once, handler_in_order
from exactly_once.lockfree import hourly_means
from exactly_once.lockfree.flawed import not_idempotent, plain_push
from exactly_once.spark.cluster.processes import OWNER_VARIABLE
from exactly_once.spark.replay.replay import replay_many
from exactly_once.spark.sample.search import COLUMNS, search
from tests.spark.sample.comparing import the_same
from tests.spark.sample.test_sampler import walked

pytestmark = pytest.mark.cluster


def test_each_seed_has_a_row_which_is_what_the_seed_gives_here(spark):
    found = search(at_least_once, seeds=200, items=2, crashes=2, spark=spark)
    assert tuple(found.columns) == COLUMNS
    assert list(found.seed) == list(range(200))
    here = walked(at_least_once, 200, items=2, crashes=2)
    assert [tuple(row) for row in found[["seed", "kind", "damage", "faults"]].itertuples(index=False)] == [
        (one.seed, one.kind, one.damage, one.faults) for one in here
    ]
    assert list(found.consistent) == [one.kind == "right" for one in here]
    assert set(found.token[found.consistent]) == {""}


def test_each_violation_is_a_token_that_replays(spark):
    found = search(handler_in_order("counter,output,positions,state"), seeds=range(500, 560), items=2, spark=spark)
    broken = found[~found.consistent]
    assert len(broken) > 5
    handler = handler_in_order("counter,output,positions,state")
    assert all(replay(token, handler).run.trace.deaths() for token in broken.token)


def test_random_schedules_of_nodes_that_die_and_sleep_are_the_same_on_the_cluster(spark):
    cases = []
    for handler, bounds in (
        (plain_push, {"nodes": 2, "crashes": 2}),
        (not_idempotent, {"nodes": 1, "crashes": 1, "pauses": 1}),
        (at_least_once, {"nodes": 2, "crashes": 1, "lost_replies": 1}),
        (at_most_once, {"nodes": 1, "crashes": 2, "pauses": 1}),
    ):
        found = search(handler, seeds=120, items=1, spark=spark, **bounds)
        broken = found[~found.consistent & found.faults.str.contains("[ce]")]
        assert len(broken) >= 3
        cases += [(token, handler) for token in broken.token[:3]]
    for (token, handler), run in zip(cases, replay_many(cases, spark), strict=True):
        assert run.trace.deaths()
        the_same(token, handler, run)


def test_where_there_is_nothing_to_find_nothing_is_found_and_progress_is_told(spark):
    told = []
    found = search(
        hourly_means, seeds=2_000, nodes=2, items=3, crashes=2, pauses=1, spark=spark, progress=told.append
    )
    assert found.consistent.all()
    assert told == sorted(told)
    assert told[-1] <= 2_000


def test_a_search_can_be_stopped_and_the_cluster_goes_on(spark):
    class Enough(Exception):
        pass

    def stop(done):
        raise Enough

    with pytest.raises(Enough):
        search(at_least_once, seeds=50_000, items=6, spark=spark, progress=stop)
    assert len(search(at_least_once, seeds=3, spark=spark)) == 3


@pytest.mark.parametrize("seeds", [0, -1, True, [], "many", [1.5], 2.0])
def test_nonsense_for_seeds_is_refused(spark, seeds):
    with pytest.raises(BadInput, match="seed"):
        search(at_least_once, seeds=seeds, spark=spark)


def test_handlers_that_cannot_be_searched_are_told_in_a_sentence(spark):
    def endless(node):
        while OWNER_VARIABLE in os.environ:
            pass
        node.output.push(1)

    def fails(node):
        raise ZeroDivisionError

    with pytest.raises(HandlerStuck, match="No task of the search ended for 2 seconds"):
        search(endless, seeds=4, spark=spark, patience=2)
    with pytest.raises(CourseError, match="ZeroDivisionError"):
        search(fails, seeds=4, spark=spark)
    with pytest.raises(BadInput, match="different handlers"):
        search([at_least_once, at_most_once], nodes=2, seeds=4, spark=spark)
    assert len(search(at_least_once, seeds=3, spark=spark)) == 3
