from exactly_once.course.kit import gap


def silent_harm():
    """Return an order and a letter: ("output", "counter", "state", "positions"), "D"."""
    ### BEGIN SOLUTION
    order = ("state", "output", "counter", "positions")
    return order, "B"
    ### END SOLUTION


silent = gap("04-silent-harm", silent_harm)
silent
