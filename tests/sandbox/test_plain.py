"""What comes back from the sandbox: plain values within bounds of size and time, and no learner's class."""

import collections
import datetime
import decimal
import fractions
import os
import pickle
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from exactly_once import Fault
from exactly_once.errors import BadInput, CourseError
from exactly_once.sandbox import pool as sandbox
from exactly_once.stores import SQLiteStore

plain = sandbox.plain_values
PLAIN = [
    None,
    {"a": [1, 2.5, "x", b"y", (True, {3}, frozenset({4}))]},
    [collections.Counter("ab"), collections.deque([1]), fractions.Fraction(1, 3), decimal.Decimal("0.1")],
    [datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC), datetime.timedelta(1), complex(1, 2), range(3)],
    [np.int64(4), np.float64(2.5)],
    Fault("B", 3),
]


class Own:
    """A learner's class; its objects do something when they are read."""

    def __reduce__(self):
        return os.getenv, ("HOME",)


class Failing(Exception):
    """A learner's exception; making it anew fails."""

    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


def value_of(make):
    return make()


def test_plain_values_come_back_as_they_were():
    for value in PLAIN:
        assert sandbox.call(value_of, lambda value=value: value) == value
    assert (sandbox.call(value_of, lambda: np.arange(5) / 2) == np.arange(5) / 2).all()


def test_the_sender_refuses_what_is_not_plain_and_the_reader_trusts_nobody():
    for value in (Own(), Own, os.getenv, lambda: 1, Failing(1, 2), fractions):
        with pytest.raises(CourseError, match="Return plain values"):
            plain.write([value])
    through_the_course = b"\x80\x04\x8c\x19exactly_once.sandbox.pool\x8c\x10subprocess.Popen\x93."
    for value in (Own(), os.getenv, subprocess.Popen, plain.write):
        with pytest.raises(CourseError, match="Return plain values"):
            plain.read(pickle.dumps(value))
    with pytest.raises(CourseError, match="Return plain values"):
        plain.read(through_the_course)


def test_an_object_of_a_learner_s_class_is_told_and_not_made_in_the_kernel():
    with pytest.raises(CourseError, match="returned a value of the class Own"):
        sandbox.call(value_of, Own)
    assert sandbox.call(value_of, dict) == {}, "the next call works"


def test_a_learner_s_exception_comes_back_in_words():
    def fail():
        raise Failing(1, "x" * 10_000_000)

    with pytest.raises(RuntimeError, match=r"^Failing: 1 and xxx") as caught:
        sandbox.call(value_of, fail)
    assert len(str(caught.value)) < 3_000


@pytest.mark.parametrize(
    "much",
    [
        lambda: "x" * 500_000_000,
        lambda: b"x" * 500_000_000,
        lambda: [b"x" * 1_000_000] * 2 + [bytes(1_000_000 + number) for number in range(300)],
        lambda: list(range(20_000_000)),
    ],
    ids=["text", "bytes", "pieces", "numbers"],
)
@pytest.mark.some(day=1, ci=2)
def test_what_is_too_large_is_not_sent(much):
    with pytest.raises(CourseError, match="returned over 64 MB; return less"):  # and not "stopped after"
        sandbox.call(value_of, much, seconds=60)


def test_the_limit_of_time_holds_for_what_is_sent_as_well():
    class Slow(Exception):
        def __str__(self):
            time.sleep(1000)

    def fail():
        raise Slow

    with pytest.raises(sandbox.HandlerStuck, match=r"stopped after 0\.5 seconds"):
        sandbox.call(value_of, fail, seconds=0.5)


def test_the_course_s_own_errors_come_back_as_they_are():
    def fail():
        raise BadInput("a sentence")

    with pytest.raises(BadInput, match=r"^a sentence$"):
        sandbox.call(value_of, fail)


@pytest.mark.parametrize("service", [SQLiteStore, Path], ids=lambda kind: kind.__name__)
def test_a_class_that_does_something_when_it_is_made_is_not_made(tmp_path, service):
    class Asks:
        def __reduce__(self):
            return service, (str(tmp_path / "evil"),)

    with pytest.raises(CourseError, match="stays in the process that made it"):
        plain.read(pickle.dumps(Asks()))
    assert list(tmp_path.iterdir()) == []


def test_a_module_of_the_learner_s_is_not_imported_to_look_for_a_class(tmp_path, monkeypatch):
    (tmp_path / "theirs.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass C: pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(CourseError, match="Return plain values"):
        plain.read(b"\x80\x04\x8c\x06theirs\x8c\x01C\x93.")
    assert not (tmp_path / "ran").exists()
