"""Replication under every schedule: promises kept, promises broken, and what is found when a rule is left out."""

import pytest

from exactly_once.explore import prove, replay
from exactly_once.handlers.logs import replicated_log as program
from exactly_once.handlers.logs.replicated_log import promises_kept, replicated_log, what_happened
from exactly_once.log.broker.replica import Replica

SMALL = {"brokers": 2, "min_insync_replicas": 1, "records": 1, "lags": 0}


def proof(state_limit=100_000, **bounds):
    return prove(
        replicated_log(**bounds), items=1, crashes=0, invariant=promises_kept, seconds=250, state_limit=state_limit
    )




@pytest.mark.parametrize(
    "bounds",
    [
        {"records": 1, "deaths": 1, "lags": 0},
        SMALL | {"records": 2, "deaths": 1},
        SMALL | {"deaths": 2},
        SMALL | {"deaths": 1, "lags": 1},
        SMALL | {"acks": 0, "deaths": 1},
    ],
    ids=str,
)
def test_what_was_promised_is_there_while_an_in_sync_replica_lives(bounds):
    found = proof(**bounds)
    assert found.ok, str(found)


@pytest.mark.slow
@pytest.mark.parametrize(
    "bounds",
    [
        {"records": 1, "deaths": 2, "lags": 1},
        {"records": 2, "deaths": 1, "lags": 1},
        SMALL | {"records": 2, "deaths": 2, "lags": 1},
    ],
    ids=str,
)
def test_three_brokers_and_more_faults(bounds):
    found = proof(**bounds)
    assert found.ok, str(found)


def test_acks_1_is_lost_with_the_leader():
    found = proof(acks=1, records=1, deaths=1, lags=0)
    assert what_happened(found.counterexample) == (
        "1. the producer sends a",
        "2. broker 0 dies",
        "3. a leader is elected",
    )
    assert found.counterexample.sentence == (
        "After this schedule record 'a', which was acknowledged with acks=1, is lost: broker 1, which leads, "
        "has not got it."
    )


def test_an_unclean_election_loses_what_was_committed():
    bounds = SMALL | {"deaths": 2, "unclean": True}
    found = proof(**bounds)
    told = what_happened(found.counterexample)
    assert "acks='all', is lost" in found.counterexample.sentence
    assert told[-1].endswith("a leader is elected")
    assert [line for line in told if "dies" in line] == ["2. broker 1 dies", "3. broker 0 dies"]
    again = replay(found.counterexample.token, replicated_log(**bounds))
    assert again.run.outcome == found.counterexample.run.outcome


KIP_101 = {"records": 1, "deaths": 1, "lags": 0, "bounces": 1}


def test_the_explorer_finds_why_followers_do_not_truncate_to_their_high_watermark():
    """The first scenario of KIP-101: Kafka did so before leader epochs, and could lose what it had committed.

    `min_insync_replicas=2` of three, under the strict rule of 3.7, does not prevent it: see the same scenario, step
    by step, in `test_brokers`.
    """
    found = proof(**KIP_101, truncation="high watermark")
    assert found.counterexample.sentence == (
        "After this schedule record 'a', which was acknowledged with acks='all', is lost: broker 1, which leads, "
        "has not got it."
    )
    told = [line.partition(". ")[2] for line in what_happened(found.counterexample)]
    assert len(told) == 8
    assert told[0] == "the producer sends a"
    assert [line for line in told if "fetches" not in line][1:] == [
        "broker 1 restarts unnoticed",
        "broker 0 dies",
        "a leader is elected",
    ]
    again = replay(found.counterexample.token, replicated_log(**KIP_101, truncation="high watermark"))
    assert again.run.outcome == found.counterexample.run.outcome


def test_with_leader_epochs_the_same_restart_and_death_lose_nothing():
    found = proof(**KIP_101, truncation="leader epoch")
    assert found.ok, str(found)


@pytest.mark.parametrize(("deaths", "ok"), [(1, True), (2, False)])
def test_without_a_restart_the_high_watermark_loses_a_record_at_the_second_death(deaths, ok):
    """A new leader is enough to make the others cut: no restart is needed, only one more leader that dies."""
    found = proof(records=1, deaths=deaths, lags=0, truncation="high watermark")
    assert found.ok == ok, str(found)




