"""No crash at all: the request of the increment is lost."""

from exactly_once.faults import Fault

answer = [Fault("database.increment", 4, "lost request")]
