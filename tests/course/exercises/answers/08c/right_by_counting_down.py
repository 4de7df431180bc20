"""Undoes what was answered; nothing may be left over."""

from collections import Counter


def answer(view):
    rest = Counter(view.balances)
    rest.subtract(view.opening)
    if sum(rest.values()) > 0 or any(balance < 0 for balance in view.balances.values()):
        return False
    for source, target, amount, said in view.answers:
        if said != "insufficient funds":
            rest.update({source: amount, target: -amount})
    return not view.done or not any(rest.values())
