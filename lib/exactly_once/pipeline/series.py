"""The two input streams: hourly temperatures of Seattle and San Francisco, read from `data/`."""

import csv
import functools
from datetime import datetime
from fractions import Fraction

from ..errors import CourseError
from ..paths import DATA
from ..stores.codec import streams_are
from .window import Reading

FILES = {"seattle": "seattle-temps.csv", "san_francisco": "sf-temps.csv"}
STREAMS = tuple(FILES)
streams_are(STREAMS)
_START = datetime(2010, 1, 1)


@functools.cache
def series(stream: str) -> tuple[Reading, ...]:
    """Return all readings of a stream in order of event time, in degrees Fahrenheit, exact.

    Hour 1 is midnight of 1 January. One hour of March is missing in both files, so hours skip from it on and offsets
    do not. Raises `CourseError` when the file is missing or holds something else.
    """
    path = DATA / FILES[stream]
    try:
        with path.open(newline="") as file:
            readings = [_reading(stream, row) for row in csv.DictReader(file)]
    except FileNotFoundError:
        raise CourseError(f"The series {path} is missing. Restore it: git checkout -- data") from None
    except (KeyError, ValueError) as why:
        raise CourseError(
            f"The series {path} holds a row that is no temperature ({why}). Restore it: git checkout -- data"
        ) from why
    return tuple(sorted(readings))


def _reading(stream: str, row: dict[str, str]) -> Reading:
    moment = datetime.fromisoformat(row["date"].replace("/", "-"))  # the two files write dates differently
    hours = (moment - _START).total_seconds() / 3600
    degrees = row["temp"]
    tenths = 10 ** len(degrees.partition(".")[2])
    return Reading(int(hours) + 1, stream, Fraction(int(degrees.replace(".", "")), tenths))
