"""The other way round is an order, too."""


def answer(accounts):
    return sorted({name for name, _ in accounts}, reverse=True)
