"""The data are what their README says they are: byte for byte, hour for hour."""

import csv
import datetime
import hashlib
import re

import pytest

from exactly_once.paths import DATA

FILES = {"seattle-temps.csv": "%Y/%m/%d %H:%M", "sf-temps.csv": "%Y/%m/%d %H:%M:%S"}


@pytest.mark.parametrize("name", FILES)
def test_the_checksum_is_the_one_in_the_readme(name):
    noted = dict(re.findall(r"^\| `(.+?\.csv)` .*`([0-9a-f]{64})`", (DATA / "README.md").read_text(), re.MULTILINE))
    assert hashlib.sha256((DATA / name).read_bytes()).hexdigest() == noted[name]


@pytest.mark.parametrize(("name", "form"), FILES.items())
def test_every_hour_of_2010_is_there_but_one(name, form):
    with (DATA / name).open(newline="") as file:
        rows = list(csv.DictReader(file))
    hours = [datetime.datetime.strptime(row["date"], form) for row in rows]
    year = [datetime.datetime(2010, 1, 1) + datetime.timedelta(hours=hour) for hour in range(8760)]
    year.remove(datetime.datetime(2010, 3, 14, 3))
    assert len(rows) == 8759
    assert hours == year
    assert all(re.fullmatch(r"\d\d\.\d", row["temp"]) for row in rows)
