from exactly_once.faults import Fault, FaultPlan

REASON = "one crash at hour 3"


def answer(steps):
    return [FaultPlan([Fault(step, 3, "crash after") for step in steps[:2]])]
