"""A group's offsets in transactions: pending until the marker, fenced by the group's generation; on both storages."""

import pytest

from exactly_once.log import errors

PLACE = ("input", 0)


@pytest.fixture(params=[1, 2])
def log(opened, request):
    log = opened(1)
    log.create_topic("input", 2)
    log.coordinator(request.param)
    return log


def begun(log, name="tx"):
    producer, epoch = log.transactions.init_producer(name)
    log.transactions.add_partitions(name, producer, epoch, ["__consumer_offsets-0"])
    return producer, epoch


def end(log, producer, epoch, result, name="tx"):
    log.transactions.end(name, producer, epoch, result)
    log.write_due_markers()


def test_offsets_count_when_their_transaction_commits(log):
    log.commit("group", {PLACE: 3})
    life = begun(log)
    log.commit("group", {PLACE: 8, ("input", 1): 1}, *life)
    assert log.committed_offset("group", *PLACE) == 3
    assert log.committed_offset("group", "input", 1) is None
    for partition in range(2):
        with pytest.raises(errors.UnstableOffsetCommit, match="in a transaction that is open"):
            log.committed_offset("group", "input", partition, require_stable=True)
    assert log.committed_offset("other", *PLACE, require_stable=True) is None, "another group waits for nothing"
    assert log.reopened().committed_offset("group", *PLACE) == 3
    end(log, *life, "commit")
    assert log.committed_offset("group", *PLACE, require_stable=True) == 8
    assert log.reopened().committed_offset("group", "input", 1, require_stable=True) == 1


def test_the_offset_that_was_written_later_counts(log):
    life = begun(log)
    log.commit("group", {PLACE: 100}, *life)
    log.commit("group", {PLACE: 7})
    assert log.committed_offset("group", *PLACE) == 7, "it waits for nobody"
    end(log, *life, "commit")
    assert log.committed_offset("group", *PLACE) == 7
    assert log.reopened().committed_offset("group", *PLACE) == 7


def test_a_group_that_has_moved_on_refuses_the_older_generation(log):
    assert log.rebalance("group", ["ann", "bob"]) == 1
    life = begun(log)
    log.commit("group", {PLACE: 1}, *life, generation=1, member="ann")
    assert log.rebalance("group", ["bob"]) == 2
    with pytest.raises(errors.IllegalGeneration, match="is in generation 2, and this commit is of generation 1"):
        log.commit("group", {PLACE: 2}, *life, generation=1)
    with pytest.raises(errors.UnknownMemberId, match="no member 'ann'"):
        log.commit("group", {PLACE: 2}, *life, generation=2, member="ann")
    log.commit("group", {PLACE: 3}, *life, generation=2, member="bob")
    end(log, *life, "commit")
    assert log.committed_offset("group", *PLACE) == 3
    assert log.reopened().rebalance("group") == 3
    with pytest.raises(errors.IllegalGeneration, match="is in generation 0"):
        log.commit("nobody", {PLACE: 4}, generation=1)


def test_the_newest_of_a_group_outlives_compaction(log):
    group = "a group with a long name" * 20
    log.rebalance(group, ["ann"])
    for number in range(120):
        life = begun(log)
        log.commit(group, {PLACE: number}, *life, generation=1)
        end(log, *life, "commit" if number % 2 else "abort")
    assert log.compact("__consumer_offsets", 0, tombstone_ms=0) > 40
    assert log.reopened().committed_offset(group, *PLACE, require_stable=True) == 119
    assert log.reopened().rebalance(group) == 2
