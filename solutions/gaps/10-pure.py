from exactly_once.course.kit import gap

# A memory of its own: numbers = itertools.count(1), and each call returns
# state, [[next(numbers), order]]. The state is None before the first order.


def invoices(state, inputs):
    [order] = inputs
    ### BEGIN SOLUTION
    number = (state or 0) + 1
    return number, [[number, order]]
    ### END SOLUTION


pure = gap("10-pure", invoices)
pure
