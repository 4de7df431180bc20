"""No crash, and nothing lost: the request arrives twice. Given as a token."""

from exactly_once.faults import Fault, FaultPlan

answer = FaultPlan([Fault("database.increment", 6, "duplicated request")]).token
