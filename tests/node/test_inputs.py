"""Inputs: the two series as streams of exact numbers, the window over them, and what a job makes of them."""

import csv
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactly_once import Job, Window, prove, simulate
from exactly_once.errors import BadInput
from exactly_once.paths import DATA
from exactly_once.stores import MemoryStore

FILES = {"seattle": "seattle-temps.csv", "san_francisco": "sf-temps.csv"}
READINGS = st.tuples(st.integers(1, 30), st.sampled_from(sorted(FILES)), st.fractions())


def test_the_numbers_are_those_of_the_files_exactly_and_one_hour_is_missing():
    store, job = MemoryStore("engine"), Job(items=None)
    job.load_inputs({"engine": store})
    for stream, name in FILES.items():
        with (DATA / name).open(newline="") as file:
            written = [Fraction(Decimal(row["temp"])) for row in csv.DictReader(file)]
        readings = store.look(f"input.{stream}", "log")
        assert [value for _, value in readings] == written
        assert all(type(value) is Fraction for _, value in readings)
        assert [hour for hour, _ in readings] == [hour for hour in range(1, 8_761) if hour != 1732]  # 14 March, 03:00
    assert job.end() == dict.fromkeys(FILES, 8_759)
    assert [job.hour_at(offset) for offset in (0, 1, 1_731, 1_732, 8_759)] == [0, 1, 1_731, 1_733, 8_760]
    assert [job.hour_of(offset) for offset in (0, 1_730, 1_731, 8_758, 8_759)] == [1, 1_731, 1_733, 8_760, 8_761]


def test_a_job_furnishes_its_items_and_no_more():
    store, job = MemoryStore("engine"), Job(items=3)
    job.load_inputs({"engine": store})
    assert [hour for hour, _ in store.look("input.seattle", "log")] == [1, 2, 3]
    assert (job.start(), job.end()) == (dict.fromkeys(FILES, 0), dict.fromkeys(FILES, 3))
    assert store.journal() == []


@given(st.lists(READINGS, max_size=12), st.integers(1, 40))
def test_a_window_keeps_the_last_hours_and_averages_exactly(readings, hours):
    window = Window()
    window.push(readings)
    assert window.readings == readings
    readings = window.readings
    window.trim(hours)
    newest = max((reading.hour for reading in readings), default=0)
    kept = [reading for reading in readings if newest - hours < reading.hour]
    assert window.readings == kept
    assert len(window) == len(kept)
    if kept:
        assert window.average() * len(kept) == sum(reading.value for reading in kept)
        assert isinstance(window.average(), Fraction)


def test_a_reading_pushed_twice_is_there_twice():
    reading = (1, "seattle", Fraction(39))
    window = Window([reading])
    window.push([reading])
    assert len(window) == 2
    assert window != Window([reading])
    assert window == Window([reading, reading])


def test_a_window_in_processing_time_counts_the_hours_in_which_readings_were_read():
    early, late = ((1, "seattle", Fraction(1), 1), (2, "seattle", Fraction(2), 3))
    window = Window([early, late])
    window.trim(3)
    assert [reading.hour for reading in window.readings] == [1, 2]
    window.trim(2)
    assert [(reading.hour, reading.read) for reading in window.readings] == [(2, 3)], "hour 1 was read 2 hours before"
    store = MemoryStore("s")
    store.do("cell", "write", window)
    assert store.do("cell", "read").value[1] == window
    with pytest.raises(BadInput, match="hour in which a reading was read"):
        window.push([(3, "seattle", Fraction(1), "now")])


def keeps_what_it_read(node):
    items, positions = node.read(node.start)
    node.state.save([item.stream for item in items])
    node.positions.save(positions)


def test_the_readings_of_an_hour_come_in_the_order_of_the_streams_in_every_world():
    proof = prove(keeps_what_it_read, job=Job(items=1), crashes=0, invariant=lambda view: view.state is None)
    for run in (proof.counterexample.run, simulate(keeps_what_it_read, job=Job(items=1))):
        assert run.outcome.state == '["seattle","san_francisco"]'
