from exactly_once.faults import Fault, FaultPlan

REASON = "one crash at hour 3"


def answer(steps):
    return [FaultPlan([Fault(step, 3, "lost reply")]) for step in steps]
