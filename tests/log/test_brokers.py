"""Leaders, followers and promises, example by example, on both storages."""

import pytest

from exactly_once.log import Receipt, load_log, log_errors, open_log

from .opened import held, values

BY_HAND = {"replication": "manual", "elections": "manual"}


def replicated(opened, watch=True, **settings):
    log = opened(3, watch=watch)
    log.create_topic("t", replicas=3, **{"min_insync_replicas": 2} | settings)
    return log


def promises(log):
    (partition,) = [one for one in log.snapshot()["partitions"] if one["topic"] == "t"]
    return [(one["value"], one["promise"], one["lost"]) for one in partition["promises"]]


def test_a_record_is_on_all_replicas_and_committed_when_acks_all_returns(opened):
    log = replicated(opened)
    assert log.append("t", 0, ["a", "b"]) == Receipt("t", 0, 0, 2, 0)
    assert [held(log, broker) for broker in range(3)] == [["a", "b"]] * 3
    assert (log.log_start("t", 0), log.high_watermark("t", 0), log.log_end("t", 0)) == (0, 2, 2)
    assert promises(log) == [("a", "committed", False), ("b", "committed", False)]


def test_the_leader_dies_and_a_replica_in_sync_leads_with_all_that_was_committed(opened):
    log = replicated(opened)
    log.append("t", 0, ["a"])
    log.kill(0)
    assert (log.leader("t", 0), log.isr("t", 0), log.alive) == (1, [1, 2], [1, 2])
    assert values(log) == ["a"]
    assert log.append("t", 0, ["b"]).epoch == 1
    log.revive(0)
    assert log.isr("t", 0) == [0, 1, 2]
    assert held(log, 0) == ["a", "b"]
    assert log.leader("t", 0) == 1, "a broker that comes back follows"


def test_below_the_minimum_acks_all_is_refused_and_acks_1_stays_invisible(opened):
    log = replicated(opened)
    log.kill(1)
    log.kill(2)
    with pytest.raises(log_errors.NotEnoughReplicas, match="has 1 replica in sync, and acks='all' needs 2"):
        log.append("t", 0, ["a"])
    assert log.log_end("t", 0) == 0, "nothing was written"
    assert log.append("t", 0, ["b"], acks=1).acknowledged
    assert (log.high_watermark("t", 0), log.log_end("t", 0), values(log)) == (0, 1, [])
    log.revive(1)
    assert values(log) == ["b"]
    assert promises(log) == [("b", "leader", False)]


def test_a_follower_that_does_not_fetch_leaves_those_in_sync_while_acks_all_waits(opened):
    log = replicated(opened)
    log.pause(2)
    assert log.append("t", 0, ["a"]).acknowledged
    assert log.isr("t", 0) == [0, 1]
    log.pause(1)
    with pytest.raises(
        log_errors.NotEnoughReplicasAfterAppend, match="offset 1 is in the leader's log, and not committed"
    ):
        log.append("t", 0, ["b"])
    assert (log.isr("t", 0), log.log_end("t", 0), values(log)) == ([0], 2, ["a"])
    assert promises(log)[1] == ("b", "none", False)
    log.resume(1)
    log.resume(2)
    assert log.isr("t", 0) == [0, 1, 2]
    assert values(log) == ["a", "b"]


def test_without_answer_nothing_is_promised_and_refusals_are_not_heard(opened):
    log = replicated(opened)
    receipt = log.append("t", 0, ["a"], acks=0)
    assert (receipt.offset, receipt.acknowledged) == (None, False)
    assert promises(log) == [("a", "none", False)]
    for broker in range(3):
        log.kill(broker)
    assert log.append("t", 0, ["b"], acks=0).offset is None
    with pytest.raises(log_errors.LeaderNotAvailable, match="t-0 has no leader: none of its in-sync replicas"):
        log.append("t", 0, ["b"], acks=1)
    with pytest.raises(log_errors.LeaderNotAvailable):
        log.fetch("t", 0, 0)


def test_acks_1_loses_what_only_the_leader_had(opened):
    log = replicated(opened)
    log.append("t", 0, ["a"])
    log.pause(1)
    log.pause(2)
    log.append("t", 0, ["b"], acks=1)
    log.kill(0)
    assert promises(log) == [("a", "committed", False), ("b", "leader", True)]
    log.resume(1)
    log.resume(2)
    log.append("t", 0, ["c"])
    log.revive(0)
    assert held(log, 0) == ["a", "c"], "the old leader gave up what the new one never had"
    assert promises(log)[1:] == [("b", "leader", True), ("c", "committed", False)]


def test_only_an_unclean_election_loses_what_was_committed(opened):
    log = replicated(opened, min_insync_replicas=1)
    log.kill(1)
    log.kill(2)
    log.append("t", 0, ["a"])
    log.kill(0)
    log.revive(1)
    assert log.leader("t", 0) is None, "broker 1 is not in sync"
    assert log.snapshot()["partitions"][0]["promises"][0]["lost"] is None, "nobody can tell"
    log.elect("t", 0, unclean=True)
    assert (log.leader("t", 0), log.isr("t", 0), values(log)) == (1, [1], [])
    assert promises(log) == [("a", "committed", True)]
    log.revive(0)
    assert held(log, 0) == []


def test_followers_truncate_by_leader_epoch_after_quick_changes_of_leader(opened):
    """Two logs that parted more than once, as in KIP-279: the epochs tell where, the offsets alone do not."""
    log = opened(2, **BY_HAND)
    log.create_topic("t", replicas=2, unclean_election=True)
    log.append("t", 0, ["a"], acks=1)
    log.replicate()
    log.append("t", 0, ["b0"], acks=1)
    log.kill(0)
    log.elect()
    log.append("t", 0, ["b1"], acks=1)
    log.append("t", 0, ["c1"], acks=1)
    log.kill(1)
    log.revive(0)
    log.elect()  # unclean: broker 0 never saw epoch 1
    log.append("t", 0, ["c2"], acks=1)
    log.revive(1)
    log.replicate()
    assert held(log, 0) == held(log, 1) == ["a", "b0", "c2"]
    assert log.isr("t", 0) == [0, 1]
    assert log.snapshot()["partitions"][0]["replicas"][1]["epochs"] == [[0, 0], [2, 2]]


def test_a_follower_is_in_sync_only_with_all_that_is_committed(opened):
    log = opened(3, **BY_HAND)
    log.create_topic("t", replicas=3)
    log.kill(2)
    for value in ("a", "b"):
        log.append("t", 0, [value], acks=1)
    log.replicate()
    log.revive(2)
    log.replicate("t", 0, follower=2, rounds=2, upto=1)
    assert (held(log, 2), log.isr("t", 0)) == (["a"], [0, 1])
    log.replicate("t", 0, follower=2, rounds=2)
    assert (held(log, 2), log.isr("t", 0)) == (["a", "b"], [0, 1, 2])


def test_partitions_are_spread_and_a_death_moves_only_the_leaders_that_died(opened):
    log = opened(3)
    log.create_topic("t", 3, replicas=2)
    assert [log.replicas("t", number) for number in range(3)] == [[0, 1], [1, 2], [2, 0]]
    log.kill(1)
    assert [log.leader("t", number) for number in range(3)] == [0, 2, 2]
    assert [log.isr("t", number) for number in range(3)] == [[0], [2], [2, 0]]


def test_a_log_in_memory_is_dumped_and_loaded(clock):
    log = open_log("memory:", 3, clock=clock, watch=True)
    log.create_topic("t", replicas=3)
    log.append("t", 0, ["a", b"\xff", {"n": 1}, None])
    log.kill(2)
    again = load_log(log.dump(), clock=clock)
    assert again.dump() == log.dump()
    assert again.snapshot() == log.snapshot()
    again.append("t", 0, ["b"])
    assert log.log_end("t", 0) == 4, "the two are apart"


def test_a_record_of_an_older_epoch_at_the_same_offset_is_not_taken_for_the_one_that_was_sent(opened):
    log = opened(3, replication="manual", elections="manual")
    log.create_topic("t", replicas=3)
    log.append("t", 0, ["old"], acks=1)
    log.replicate("t", 0, 2, 1)
    log.kill(0)
    log.elect()
    assert log.leader("t", 0) == 1
    receipt = log.append("t", 0, ["new"])
    log.kill(1)
    log.elect()
    assert log.leader("t", 0) == 2
    log.append("t", 0, ["newest"], acks=1)
    assert values(log) == ["old", "newest"]
    assert log.fate(receipt) == (False, False)


def test_a_replica_refuses_decisions_of_an_epoch_that_is_over(opened):
    log = replicated(opened)
    before = log.controller.partition("t", 0)
    log.kill(0)
    with log.replica(1, log.topic("t"), 0).changing() as replica, pytest.raises(log_errors.FencedLeaderEpoch):
        replica.obey(before)
    assert log.append("t", 0, ["a"]).epoch == 1
