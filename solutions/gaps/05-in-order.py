from exactly_once.course.kit import gap


def in_order(view):
    ### BEGIN SOLUTION
    there = list(view.outputs)
    wanted = [1, 2, 3, 4]
    return there == (wanted if view.done else wanted[: len(there)])
    ### END SOLUTION


rule = gap("05-in-order", in_order)
rule
