"""Loses the reply of the increment: the life gives up, but the note and the increment are both done."""

from exactly_once.faults import Fault

REASON = "can be repeated, or was complete"

answer = Fault("database.increment", 3, "lost reply")
