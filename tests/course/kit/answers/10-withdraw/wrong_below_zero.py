REASON = "With 10 in the account and an order of 11 your function leaves -1 in it; right is 10."


def answer(balance, inputs):
    return balance - inputs[0], [inputs[0]]
