"""Replication under every schedule: promises kept, promises broken, and a learner's own rule as the invariant."""

import pytest

from exactly_once import prove
from exactly_once.explore import replay
from exactly_once.handlers import promises_kept
from exactly_once.log import as_invariant, replicated_log, what_happened, what_is_left

ONE = {"records": 1, "lags": 0}
SMALL = ONE | {"brokers": 2, "min_insync_replicas": 1}
KIP_101 = ONE | {"deaths": 1, "bounces": 1}


def proof(invariant=promises_kept, **bounds):
    return prove(replicated_log(**bounds), items=1, crashes=0, invariant=invariant, seconds=250, state_limit=100_000)


@pytest.mark.not_by_day
def test_what_was_promised_is_there_while_an_in_sync_replica_lives():
    for bounds in (
        ONE | {"deaths": 1},
        SMALL | {"records": 2, "deaths": 1},
        SMALL | {"deaths": 2},
        SMALL | {"deaths": 1, "lags": 1},
        SMALL | {"acks": 0, "deaths": 1},
        KIP_101 | {"truncation": "leader epoch"},
    ):
        found = proof(**bounds)
        assert found.ok, f"{bounds}: {found}"


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
    found = proof(acks=1, **ONE, deaths=1)
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


def test_the_explorer_finds_why_followers_do_not_truncate_to_their_high_watermark():
    """The first scenario of KIP-101: Kafka did so before leader epochs, and could lose what it had committed.

    `min_insync_replicas=2` of three, under the strict rule of 3.7, does not prevent it: it bounds when a record
    becomes committed, and not what a follower throws away afterwards.
    """
    found = proof(**KIP_101, truncation="high watermark")
    assert "acks='all', is lost: broker 1, which leads, has not got it." in found.counterexample.sentence
    told = [line.partition(". ")[2] for line in what_happened(found.counterexample)]
    assert len(told) == 8
    assert [line for line in told if "fetches" not in line] == [
        "the producer sends a",
        "broker 1 restarts unnoticed",
        "broker 0 dies",
        "a leader is elected",
    ]


@pytest.mark.slow
def test_without_a_restart_the_high_watermark_loses_a_record_at_the_second_death():
    """A new leader is enough to make the others cut: no restart is needed, only one more leader that dies."""
    for deaths in (1, 2):
        found = proof(**ONE, deaths=deaths, truncation="high watermark")
        assert found.ok == (deaths == 1), str(found)


def there(acknowledged, leader):
    return leader is None or all(value in leader for _, value in acknowledged)


def test_a_rule_that_breaks_is_told_with_the_shortest_schedule_and_the_log_that_is_left():
    found = proof(as_invariant(there), **ONE, deaths=1, acks=1).counterexample
    assert "'a' at offset 0 was acknowledged, and broker 1, which leads, has []" in found.sentence
    assert [line.partition(" ")[2] for line in what_happened(found)] == [
        "the producer sends a",
        "broker 0 dies",
        "a leader is elected",
    ]
    (promise,) = what_is_left(found).snapshot()["partitions"][0]["promises"]
    assert (promise["lost"], promise["promise"]) == (True, "leader")
    waiting = proof(as_invariant(lambda acknowledged, leader: leader is not None), **ONE, deaths=1)
    assert "nobody leads" in waiting.counterexample.sentence, "a rule that calls waiting a loss"
