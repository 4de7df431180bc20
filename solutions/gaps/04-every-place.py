from exactly_once.course.kit import gap
from exactly_once.faults import Fault, FaultPlan


def every_place(steps):
    """Return a list of fault plans, each of one crash at hour 3."""
    ### BEGIN SOLUTION
    kinds = ("crash before", "crash after")
    return [FaultPlan([Fault(step, 3, kind)]) for step in steps for kind in kinds]
    ### END SOLUTION


places = gap("04-every-place", every_place)
places
