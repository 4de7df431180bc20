from exactly_once.course.kit import gap


def never_ahead(view):
    """Tell whether the counter counts no hour whose average is not in `view.outputs`."""
    ### BEGIN SOLUTION
    return view.counter <= max(0, len(view.outputs) - 1)
    ### END SOLUTION


invariant = gap("07-ahead", never_ahead)
invariant
