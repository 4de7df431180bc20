"""hash() of a text differs from process to process."""

REASON = "In another process the order is another one"


def answer(accounts):
    return sorted({name for name, _ in accounts}, key=hash)
