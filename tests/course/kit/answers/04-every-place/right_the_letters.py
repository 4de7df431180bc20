from exactly_once.faults import Fault, FaultPlan


def answer(steps):
    return [FaultPlan.crash(letter, 3) for letter in "ABCDE"] + [FaultPlan([Fault("positions.save", 3, "crash after")])]
