from exactly_once.faults import Fault

REASON = "which is no fault plan"


def answer(steps):
    return [Fault(step, 3, "crash after") for step in steps]
