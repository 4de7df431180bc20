from exactly_once.course.kit import gap


def nothing_twice(view):
    """Tell whether no average is in `view.outputs` twice."""
    ### BEGIN SOLUTION
    return len(set(view.outputs)) == len(view.outputs)
    ### END SOLUTION


kept = gap("04-invariant", nothing_twice)
kept
