"""Locks the account that pays, and no other."""

REASON = "another mover changes that account in the middle"


def answer(accounts):
    return [accounts[0][0]]
