"""Returns a sentence in place of False, which prove takes, too."""


def answer(view):
    poor = [account for account, balance in view.balances.items() if balance < 0]
    if poor:
        return f"{poor[0]} is below zero"
    for account, opened in view.opening.items():
        out = sum(amount for a, b, amount, said in view.answers if a == account and said == "done")
        into = sum(amount for a, b, amount, said in view.answers if b == account and said == "done")
        if view.done and view.balances[account] != opened - out + into:
            return f"{account} holds {view.balances[account]}"
    extra = sum(view.balances.values()) - sum(view.opening.values())
    return True if extra <= 0 else f"{extra} too much"
