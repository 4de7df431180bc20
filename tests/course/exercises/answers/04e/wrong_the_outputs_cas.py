# Plausible: it strikes, at the other cas.
"""Hits the cas of the output, which a later life repeats without harm."""

from exactly_once.faults import Fault, FaultPlan

REASON = "can be repeated, or was complete"

answer = FaultPlan([Fault("register.cas", 3, "crash after")])
