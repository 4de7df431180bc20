"""Batches: what goes in comes out, damaged ones are refused; and fetches that read in chunks."""

from hypothesis import given
from hypothesis import strategies as st

from exactly_once.log import Batch, pack

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
