from exactly_once.faults import Fault, FaultPlan


def answer(steps):
    after_all = FaultPlan([Fault("positions.save", 3, "crash after")])
    return [*(FaultPlan.crash(letter, 3) for letter in "ABCDE"), after_all]
