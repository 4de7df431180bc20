from exactly_once.course.kit import gap


def nothing_lost(view):
    ### BEGIN SOLUTION
    return not view.done or set(view.outputs) >= {1, 2, 3}
    ### END SOLUTION


rule = gap("03-nothing-lost", nothing_lost)
rule
