from exactly_once.course.kit import gap


def agree(view):
    """Tell whether the averages in `view.outputs` are those of the hours that are done."""
    ### BEGIN SOLUTION
    hours = view.positions["seattle"] if view.positions else 0
    return len(view.outputs) == hours
    ### END SOLUTION


invariant = gap("06-agree", agree)
invariant
