REASON = "With 10 in the account and an order of 10 your function leaves 10 in it; right is 0."


def answer(balance, inputs):
    [amount] = inputs
    return (balance - amount, [amount]) if balance > amount else (balance, [None])
