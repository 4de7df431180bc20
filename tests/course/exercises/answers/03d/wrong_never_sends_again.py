"""Gives up after every error."""

from exactly_once.errors import CourseError

REASON = "though the broker had said that nothing was written"


def answer(send, records):
    for record in records:
        try:
            send(record)
        except CourseError:
            continue
