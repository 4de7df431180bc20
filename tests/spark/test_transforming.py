"""Consume, transform, produce over several partitions under kills: in transactions counts are exact."""

from collections import Counter
from dataclasses import replace

import pytest

from exactly_once import show
from exactly_once.delivery.transforming import INPUTS, PLACES, predict_doubled, transforming
from exactly_once.errors import BadInput
from exactly_once.faults import Fault, FaultPlan
from exactly_once.simulate import simulate
from exactly_once.spark.transforming import transform_on_cluster


def exact(run):
    """Assert that each reading's record is there once, in its partition's order, and positions are at the end."""
    assert (run.exactly_once, run.doubled, run.missing) == (True, 0, 0), str(run)
    assert run.positions == dict.fromkeys(INPUTS, run.records)
    for keys in run.found.values():
        for name in INPUTS:
            numbers = [int(key.split()[1]) for key in keys if key.startswith(name)]
            assert numbers == sorted(numbers)


def as_predicted(run):
    """Assert that there are as many records too many as the deaths say, and that none is missing."""
    assert (run.doubled, run.missing) == (run.predicted, 0), str(run)
    assert run.positions == dict.fromkeys(INPUTS, run.records)


@pytest.mark.parametrize(
    ("fault", "doubled"),
    [
        (Fault("log.append", 2, "crash before"), 0),
        (Fault("log.append", 2, "crash after"), 1),
        (Fault("positions.save", 2, "crash before"), 2),
        (Fault("positions.save", 2, "crash after"), 0),
    ],
)
def test_what_is_doubled_is_predicted_from_where_a_life_died(fault, doubled):
    run = simulate(transforming(transactional=False, records=6), FaultPlan([replace(fault, node=1)]))
    assert run.reached
    assert predict_doubled(run) == doubled


@pytest.mark.cluster
@pytest.mark.timeout(240)
def test_twenty_kills(shared_cluster):
    plain = transform_on_cluster(False, kills=6, records=40, seed=3)
    as_predicted(plain)
    assert plain.doubled > 0  # its first kill is behind an append, before the position is saved
    killed, seed = len(plain.strikes), 3
    while killed < 20:
        run = transform_on_cluster(kills=14, records=50, seed=seed)
        exact(run)
        killed, seed = killed + len(run.strikes), seed + 1
    assert {one.inside for one in run.strikes} == {True, False}
    drawn = show.transformed(run)
    assert "are there once" in drawn.html
    assert "read_committed sees" in drawn.html
    assert len(drawn.table) == len(run.strikes) == drawn.html.count('class="cross"')


@pytest.mark.cluster
@pytest.mark.timeout(120)
def test_nobody_is_killed(shared_cluster):
    run = transform_on_cluster(kills=0, records=6)
    exact(run)
    assert (run.strikes, run.uncommitted) == ((), 0)


def test_nonsense_is_refused():
    with pytest.raises(BadInput, match="the number of kills"):
        transform_on_cluster(kills=-1)
    with pytest.raises(BadInput, match="a place"):
        transform_on_cluster(places=["lunch"])


@pytest.mark.cluster
@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_two_hundred_kills_and_ten_at_each_place(shared_cluster):
    struck, who, killed, seed = Counter(dict.fromkeys(PLACES, 0)), Counter(), 0, 100
    while killed < 200 or min(struck[place] for place in PLACES) < 10:
        assert seed < 140, (killed, struck)
        rare = [place for place in PLACES if struck[place] < 10]
        run = transform_on_cluster(kills=24, records=80, seed=seed, places=rare or None)
        exact(run)
        struck.update(run.struck())
        who.update((one.who == "coordinator", one.kill, one.inside) for one in run.strikes)
        killed, seed = killed + len(run.strikes), seed + 1
    print(f"{killed} kills: {dict(struck)}; (coordinator, with its, at a step): {dict(who)}")
    assert {kill for _, kill, _ in who} == {"worker", "executor"}
    assert {coordinator for coordinator, *_ in who} == {True, False}


@pytest.mark.cluster
@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_without_transactions_what_is_doubled_is_what_was_predicted(shared_cluster):
    killed, doubled, seed = 0, 0, 200
    while killed < 50:
        run = transform_on_cluster(False, kills=12, records=60, seed=seed)
        as_predicted(run)
        killed, doubled, seed = killed + len(run.strikes), doubled + run.doubled, seed + 1
    assert doubled > 10
