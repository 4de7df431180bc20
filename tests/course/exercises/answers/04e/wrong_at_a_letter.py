"""Tries B, where the chapter's handler was hurt."""

from exactly_once.faults import FaultPlan

REASON = "At all five letters it is safe"

answer = FaultPlan.crash("B", 3)
