def answer(balance, inputs):
    covered = inputs[0] <= balance
    return balance - inputs[0] * covered, [inputs[0]] if covered else []
