"""Batches: what goes in comes out, damaged ones are refused; and fetches that read in chunks."""

from hypothesis import given
from hypothesis import strategies as st

from exactly_once.log import Pair, open_log
from exactly_once.log.storage.records import Batch, pack

CHUNK_BYTES = 1 << 20  # of what a fetch reads at a time, when the number of records is bounded and not their size
KEYS = st.none() | st.binary(max_size=5) | st.text(max_size=5)
VALUES = KEYS | st.integers() | st.lists(st.integers() | st.booleans() | st.text(max_size=3), max_size=3)


def batch(pairs, deltas=None, base=10):
    """Return a batch of these pairs."""
    form, payload = pack(pairs, deltas)
    count = deltas[-1] + 1 if deltas else len(pairs)
    return Batch(base, count, 0, 0, 7, "plain", -1, -1, -1, -1, form, len(payload), payload)


@given(st.lists(st.tuples(KEYS, VALUES), min_size=1, max_size=20))
def test_what_is_packed_comes_out(pairs):
    records = batch(pairs).records(partition=2)
    assert [(record.key, record.value) for record in records] == pairs
    assert [type(record.value) for record in records] == [type(value) for _, value in pairs]
    assert [record.offset for record in records] == list(range(10, 10 + len(pairs)))
    assert {(record.partition, record.time) for record in records} == {(2, 7)}


@given(st.lists(st.tuples(KEYS, VALUES, st.integers(1, 5)), min_size=1, max_size=10))
def test_gaps_are_kept(rows):
    deltas = [sum(gap for _, _, gap in rows[: number + 1]) for number in range(len(rows))]
    records = batch([row[:2] for row in rows], deltas).records()
    assert [record[:3] for record in records] == [
        (10 + delta, key, value) for delta, (key, value, _) in zip(deltas, rows, strict=True)
    ]


def test_a_fetch_of_so_many_records_reads_as_many_chunks_as_it_needs():
    log = open_log("memory:")
    log.create_topic("t", compact=True, segment_bytes=1)
    for number in range(8):
        log.append("t", 0, [Pair(f"{number} {place}", b"x" * (CHUNK_BYTES // 6)) for place in range(4)])
    assert [record.offset for record in log.fetch("t", 0, 3, max_records=20)] == list(range(3, 23))
    assert [record.offset for record in log.fetch("t", 0, 0, max_records=1)] == [0]
    assert len(log.fetch("t", 0, 0, max_records=1000)) == len(log.fetch("t", 0, 0)) == 32
    for number in range(1, 7):  # what is overwritten goes, over more than a chunk, save in the newest segment
        log.append("t", 0, [Pair(f"{number} {place}", "new") for place in range(4)])
    log.append("t", 0, [Pair("last", "new")])
    log.compact("t", 0)
    assert [record.offset for record in log.fetch("t", 0, 2, max_records=4)] == [2, 3, 28, 29]
    assert log.fetch("t", 0, 4, max_records=1)[0].offset == 28
