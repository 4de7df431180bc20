from exactly_once.course.kit import gap


def withdraw(balance, inputs):
    [amount] = inputs
    ### BEGIN SOLUTION
    if amount > balance:
        return balance, [None]
    return balance - amount, [amount]
    ### END SOLUTION


withdrawn = gap("10-withdraw", withdraw)
withdrawn
