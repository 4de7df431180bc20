"""Names of one length stay in the order of the transfer."""

REASON = "Deadlock: mover 1"


def answer(accounts):
    return sorted(dict.fromkeys(name for name, _ in accounts), key=len)
