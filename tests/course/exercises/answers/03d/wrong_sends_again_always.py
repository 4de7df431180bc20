"""Sends again after every error."""

from exactly_once.errors import CourseError

REASON = "record 'a' is in the log twice"


def answer(send, records):
    for record in records:
        while True:
            try:
                send(record)
                break
            except CourseError:
                continue
