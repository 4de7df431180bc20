from exactly_once.faults import Fault, FaultPlan

REASON = "after its last write"


def answer(steps):
    return [FaultPlan([Fault(step, 3, "crash before")]) for step in steps]
