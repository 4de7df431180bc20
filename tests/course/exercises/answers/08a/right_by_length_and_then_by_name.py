"""Short names first; equal lengths are told apart by the names themselves."""


def answer(accounts):
    order = []
    for name, _ in sorted(accounts, key=lambda account: (len(account[0]), account[0].lower())):
        if name not in order:
            order.append(name)
    return tuple(order)
