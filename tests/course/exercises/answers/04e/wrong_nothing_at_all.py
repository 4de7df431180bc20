"""An empty plan."""

from exactly_once.faults import FaultPlan

REASON = "The plan has 0 faults"

answer = FaultPlan()
