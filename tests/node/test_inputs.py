"""Inputs: the two series as streams of exact numbers, the window over them, and what a job makes of them."""

import csv
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactly_once.errors import BadInput, CourseError
from exactly_once.paths import DATA
from exactly_once.pipeline import Job, Reading, Window
from exactly_once.pipeline import series as module
from exactly_once.pipeline.series import FILES, STREAMS, series
from exactly_once.stores import MemoryStore, codec

MISSING = 1732  # 2010-03-14 03:00, counted from 1 at midnight of 1 January
READINGS = st.builds(Reading, st.integers(1, 30), st.sampled_from(STREAMS), st.fractions())


@pytest.mark.parametrize("stream", STREAMS)
def test_a_stream_has_every_hour_but_the_missing_one(stream):
    readings = series(stream)
    assert len(readings) == 8_759
    assert [reading.hour for reading in readings] == [hour for hour in range(1, 8_761) if hour != MISSING]
    assert {reading.stream for reading in readings} == {stream}


@pytest.mark.parametrize("stream", STREAMS)
def test_the_numbers_are_those_of_the_file_exactly(stream):
    with (DATA / FILES[stream]).open(newline="") as file:
        written = [Decimal(row["temp"]) for row in csv.DictReader(file)]
    assert [reading.value for reading in series(stream)] == [Fraction(number) for number in written]
    assert all(type(reading.value) is Fraction for reading in series(stream))


def test_the_first_readings():
    assert series("seattle")[0] == (1, "seattle", Fraction(394, 10))
    assert series("san_francisco")[1] == (2, "san_francisco", Fraction(474, 10))


@pytest.mark.parametrize("damage", ["missing", "words", "columns", "date"])
def test_a_damaged_file_is_named_with_the_remedy(damage, tmp_path, monkeypatch):
    text = {
        "words": "date,temp\n2010/01/01 00:00,warm\n",
        "columns": "a,b\n1,2\n",
        "date": "date,temp\nyesterday,39.4\n",
    }
    if damage in text:
        (tmp_path / FILES["seattle"]).write_text(text[damage])
    monkeypatch.setattr(module, "DATA", tmp_path)
    with pytest.raises(CourseError, match=r"seattle-temps.csv .*git checkout -- data"):
        series.__wrapped__("seattle")


def test_a_job_furnishes_its_items_and_no_more():
    store, job = MemoryStore("engine"), Job(items=3)
    job.load_inputs({"engine": store})
    assert store.look("input.seattle", "log") == [[one.hour, one.value] for one in series("seattle")[:3]]
    assert (job.start(), job.end()) == (dict.fromkeys(STREAMS, 0), dict.fromkeys(STREAMS, 3))
    assert store.journal() == []


def test_hours_skip_where_offsets_do_not():
    job = Job(items=None)
    assert job.end() == dict.fromkeys(STREAMS, 8_759)
    assert [job.hour_at(offset) for offset in (0, 1, 1_731, 1_732, 8_759)] == [0, 1, 1_731, 1_733, 8_760]
    assert [job.hour_of(offset) for offset in (0, 1_730, 1_731, 8_758, 8_759)] == [1, 1_731, 1_733, 8_760, 8_761]


@given(st.lists(READINGS, max_size=12), st.integers(1, 40))
def test_a_window_keeps_the_last_hours_and_averages_exactly(readings, hours):
    window = Window()
    window.push(readings)
    assert window.readings == readings
    window.trim(hours)
    newest = max((reading.hour for reading in readings), default=0)
    kept = [reading for reading in readings if newest - hours < reading.hour]
    assert window.readings == kept
    assert len(window) == len(kept)
    if kept:
        assert window.average() * len(kept) == sum(reading.value for reading in kept)
        assert isinstance(window.average(), Fraction)


def test_a_reading_pushed_twice_is_there_twice():
    reading = Reading(1, "seattle", Fraction(39))
    window = Window([reading])
    window.push([reading])
    assert len(window) == 2
    assert window != Window([reading])
    assert window == Window([reading, reading])


@pytest.mark.parametrize("nonsense", [[3], ["ab"], [None], [(1, 2)], [(1, 2, 3, 4, 5)], [5, 6]])
def test_what_is_no_reading_is_refused_and_not_kept(nonsense):
    window = Window([Reading(1, "seattle", Fraction(39))])
    with pytest.raises(BadInput, match="A window holds readings"):
        window.push([Reading(2, "seattle", Fraction(1)), *nonsense])
    assert len(window) == 1


@pytest.mark.parametrize("hours", [0, -1, 1.5, None, "24"])
def test_a_window_is_trimmed_to_whole_hours(hours):
    window = Window([Reading(1, "seattle", Fraction(39))])
    with pytest.raises(BadInput, match="length of a window in hours"):
        window.trim(hours)
    assert len(window) == 1


def test_a_window_in_processing_time_counts_the_hours_in_which_readings_were_read():
    early, late = ((1, "seattle", Fraction(1), 1), (2, "seattle", Fraction(2), 3))
    window = Window([early, late])
    window.trim(3)
    assert [reading.hour for reading in window.readings] == [1, 2]
    window.trim(2)
    assert [(reading.hour, reading.read) for reading in window.readings] == [(2, 3)], "hour 1 was read 2 hours before"
    assert codec.decode(codec.encode(window)) == window
    with pytest.raises(BadInput, match="hour in which a reading was read"):
        window.push([(3, "seattle", Fraction(1), "now")])


def test_an_empty_window_has_no_average():
    with pytest.raises(BadInput, match="An empty window has no average"):
        Window().average()
