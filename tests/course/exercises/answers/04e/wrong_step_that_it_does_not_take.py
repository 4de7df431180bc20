"""Aims at output.push, which this handler never calls."""

from exactly_once.faults import Fault, FaultPlan

REASON = "Not reached"

answer = FaultPlan([Fault("output.push", 3, "crash after")])
