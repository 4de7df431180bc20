from exactly_once.faults import Fault, FaultPlan

REASON = "after database.increment and before state.save"


def answer(steps):
    kinds = {"input.read": "crash after", "state.save": "crash after", "positions.save": "crash after"}
    kinds["database.increment"] = "crash before"
    return [FaultPlan([Fault(step, 3, kind)]) for step, kind in kinds.items()]
