"""Tries D, the worst point of the chapter's handler."""

from exactly_once.faults import FaultPlan

REASON = "At all five letters it is safe"

answer = FaultPlan.crash("D", 5)
