"""The order of a set differs from process to process."""

REASON = "In another process the order is another one"


def answer(accounts):
    return list({name for name, _ in accounts})
