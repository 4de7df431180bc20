from exactly_once.course.kit import gap


def collide():
    """Return three orders, one for each mover: [("a", "b", 1), …]."""
    ### BEGIN SOLUTION
    return [("a", "b", 1), ("b", "c", 1), ("c", "a", 1)]
    ### END SOLUTION


colliding = gap("08-collide", collide)
colliding
