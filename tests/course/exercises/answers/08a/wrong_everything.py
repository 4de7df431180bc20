"""One lock for all would do, but it is of an account that this transfer does not touch."""

REASON = "This transfer does not touch ada"


def answer(accounts):
    return ["ada", *sorted({name for name, _ in accounts} - {"ada"})]
