"""Reads until no version has changed, and adds what was sent and not got."""


def answer(read, accounts):
    before = [read(account) for account in accounts]
    while True:
        after = [read(account) for account in accounts]
        if [version for version, _ in before] == [version for version, _ in after]:
            break
        before = after
    cells = [cell for _, cell in after]
    got = {order for cell in cells for order in cell["got"]}
    away = [amount for cell in cells for order, amount in cell["sent"].items() if order not in got]
    return sum([cell["balance"] for cell in cells]) + sum(away)
