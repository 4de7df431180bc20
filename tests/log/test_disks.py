"""What every disk must do, in memory and in a SQLite file alike; and that the two do the same."""

import multiprocessing
import signal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactly_once.errors import BadInput
from exactly_once.log import Batch, SQLiteDisk, open_log, pack

from .disk_writers import REPLICA, append, die_within

SPAWN = multiprocessing.get_context("spawn")


def batch(base, count=1, text="v", **header):
    """Return a batch of `count` records that tell their offsets."""
    form, payload = pack([("k", f"{text}{base + number}") for number in range(count)])
    fields = {"epoch": 0, "segment": 0, "time": 5, "kind": "plain", "producer": -1, "producer_epoch": -1}
    fields |= {"sequence": -1, "coordinator": -1} | header
    return Batch(base=base, count=count, **fields, form=form, size=len(payload), payload=payload)


@pytest.fixture(params=["memory", "sqlite"])
def disk(request, tmp_path):
    disk = open_log("memory:", 1).disks[0] if request.param == "memory" else SQLiteDisk(tmp_path / "d.sqlite")
    yield disk
    disk.close()


@pytest.fixture
def filled(disk):
    """Give a disk with batches at 0–2, 3 and, after a gap, 10–11."""
    with disk.transaction():
        for one in (batch(0, 3), batch(3), batch(10, 2)):
            disk.append("t-0", one)
    return disk


def bases(disk):
    return [one.base for one in disk.batches("t-0")]


def test_truncate_delete_and_replace_take_whole_batches(filled):
    with filled.transaction():
        filled.truncate("t-0", 11)
    assert bases(filled) == [0, 3], "the batch 10–11 ends after 11"
    with filled.transaction():
        filled.delete_before("t-0", 2)
    assert bases(filled) == [0, 3], "the batch 0–2 ends after 2"
    with filled.transaction():
        filled.delete_before("t-0", 3)
    assert bases(filled) == [3]
    with filled.transaction():
        filled.append("t-0", batch(4, 2))
        filled.replace("t-0", 3, 6, [batch(5, text="w")])
    assert [record.value for one in filled.batches("t-0") for record in one.records()] == ["w5"]
    with filled.transaction():
        filled.truncate("t-0", 0)
    assert filled.status("t-0")[1] == 0


def test_a_transaction_inside_another_is_part_of_it(disk):
    one = batch(7, 2, epoch=3, segment=7, kind="transactional", producer=2**40, producer_epoch=4, sequence=9)
    with disk.transaction():
        disk.put("a", [1, {"b": None}])
        with disk.transaction():
            disk.append("t-0", one)
        assert disk.get("a") == [1, {"b": None}]
    with disk.reading(), disk.reading():
        assert disk.get("a") == [1, {"b": None}]
        assert disk.batches("t-0") == [one]
        assert disk.headers("t-0") == [one._replace(payload=None)]
    assert disk.get("b", 5) == 5


def test_what_changes_outside_a_transaction_or_overlaps_is_refused(filled):
    for change in (
        lambda: filled.put("a", 1),
        lambda: filled.append("t-0", batch(12)),
        lambda: filled.truncate("t-0", 0),
        lambda: filled.delete_before("t-0", 5),
    ):
        with pytest.raises(BadInput, match=r"only inside its transaction"):
            change()
    with (
        pytest.raises(BadInput, match="t-0 ends at offset 12; a batch with base offset 11 overlaps"),
        filled.transaction(),
    ):
        filled.append("t-0", batch(11))
    assert bases(filled) == [0, 3, 10]


OFFSETS = st.integers(0, 30)
CHANGES = st.one_of(
    st.tuples(st.just("append"), st.integers(0, 3), st.integers(1, 4)),
    st.tuples(st.sampled_from(["truncate", "delete_before"]), OFFSETS),
    st.tuples(st.just("replace"), OFFSETS, OFFSETS),
    st.tuples(st.just("put"), st.sampled_from("ab"), st.integers()),
)


def change(disk, replica, what, *values):
    """Carry out one of `CHANGES`."""
    if what == "put":
        disk.put(*values)
    elif what == "append":
        gap, count = values
        disk.append(replica, batch(disk.status(replica)[1] + gap, count))
    elif what == "replace":
        start, end = sorted(values)
        within = [one for one in disk.headers(replica) if start <= one.base < end]
        disk.replace(replica, start, end, [batch(one.base, 1, text="w") for one in within[1:]])
    else:
        getattr(disk, what)(replica, *values)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.booleans(), st.lists(st.tuples(st.sampled_from(["t-0", "t-1"]), CHANGES), max_size=4)),
        max_size=8,
    )
)
def test_both_disks_do_the_same(tmp_path_factory, transactions):
    one, other = open_log("memory:", 1).disks[0], SQLiteDisk(tmp_path_factory.mktemp("same") / "d.sqlite")
    for fails, changes in transactions:
        for disk in (one, other):
            try:
                with disk.transaction():
                    for replica, (what, *values) in changes:
                        change(disk, replica, what, *values)
                    if fails:
                        raise ZeroDivisionError
            except ZeroDivisionError:
                pass
        for replica in ("t-0", "t-1"):
            assert one.batches(replica) == other.batches(replica)
            assert one.headers(replica, 7) == other.headers(replica, 7)
            assert one.batches(replica, 5, 20) == other.batches(replica, 5, 20)
            assert one.status(replica)[1] == other.status(replica)[1]
        assert [one.get(key) for key in "ab"] == [other.get(key) for key in "ab"]
    other.close()


def test_a_process_that_dies_within_a_transaction_leaves_nothing(tmp_path):
    path = tmp_path / "broker.sqlite"
    disk = SQLiteDisk(path)
    append(disk, [b"before"])
    before = disk.status(REPLICA)
    child = SPAWN.Process(target=die_within, args=(path,))
    child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL
    assert disk.status(REPLICA) == before
    assert disk.get("kept") is None
    assert append(disk, [b"after"]) == 1, "nobody waits for the dead"
    assert [one.base for one in disk.batches(REPLICA)] == [0, 1]


def test_a_reader_sees_one_state_while_another_writes(tmp_path):
    path = tmp_path / "broker.sqlite"
    writer, reader = SQLiteDisk(path), SQLiteDisk(path)
    append(writer, [b"before"])
    with reader.reading():
        first = reader.batches(REPLICA)
        append(writer, [b"after"])
        assert reader.batches(REPLICA) == first
    assert len(reader.batches(REPLICA)) == 2
