REASON = "your function sends [3] on; right is [7]"


def answer(balance, inputs):
    [amount] = inputs
    return (balance - amount, [balance - amount]) if balance >= amount else (balance, [None])
