REASON = "your function fails with ValueError: insufficient funds"


def answer(balance, inputs):
    [amount] = inputs
    if amount > balance:
        raise ValueError("insufficient funds")
    return balance - amount, [amount]
