"""Reads again as long as something was got that was not sent, and adds what is on its way."""


def answer(read, accounts):
    while True:
        cells = [read(account)[1] for account in reversed(accounts)]
        sent = {order: amount for cell in cells for order, amount in cell["sent"].items()}
        got = {order for cell in cells for order in cell["got"]}
        if got <= set(sent):
            balances = [cell["balance"] for cell in cells]
            return sum(balances) + sum([amount for order, amount in sent.items() if order not in got])
