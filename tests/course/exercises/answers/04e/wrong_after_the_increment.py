# Plausible: it strikes, one step too late.
"""Strikes after the increment, when note and increment are both done."""

from exactly_once.faults import Fault, FaultPlan

REASON = "can be repeated, or was complete"

answer = FaultPlan([Fault("database.increment", 3, "crash after")])
