from exactly_once.faults import Fault, FaultPlan


def answer(steps):
    return (FaultPlan((Fault(step, 3, "crash after"),)) for step in steps)
