"""A group's offsets in transactions: pending until the marker, fenced by the group's generation; on both storages."""

import pytest

from exactly_once.log import log_errors as log_errors

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


def test_a_group_that_has_moved_on_refuses_the_older_generation(log):
    assert log.rebalance("group") == 1
    life = begun(log)
    log.commit("group", {PLACE: 1}, *life, generation=1)
    assert log.rebalance("group") == 2
    with pytest.raises(log_errors.IllegalGeneration, match="is in generation 2, and this commit is of generation 1"):
        log.commit("group", {PLACE: 2}, *life, generation=1)
    log.commit("group", {PLACE: 3}, *life, generation=2)
    end(log, *life, "commit")
    assert log.committed_offset("group", *PLACE) == 3
    assert log.reopened().rebalance("group") == 3
    with pytest.raises(log_errors.IllegalGeneration, match="is in generation 0"):
        log.commit("nobody", {PLACE: 4}, generation=1)
