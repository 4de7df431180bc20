REASON = "an order of 11 your function sends [11] on; right is [None]"


def answer(balance, inputs):
    [amount] = inputs
    return balance - amount if balance >= amount else balance, [amount]
