"""The right step at hour 1, where the window holds two numbers and nothing is counted."""

from exactly_once.faults import Fault, FaultPlan

REASON = "Not reached"

answer = FaultPlan([Fault("database.increment", 1, "crash before")])
