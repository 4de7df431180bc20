"""Throws two crashes at it."""

from exactly_once.faults import Fault, FaultPlan

REASON = "The plan has 2 faults"

answer = FaultPlan([Fault("B", 3), Fault("C", 4)])
