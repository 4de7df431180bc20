"""Keeps whatever is of no later epoch than the leader's newest record."""

REASON = "and the leader one of epoch 1"


def answer(follower, leader):
    newest = max(leader, default=-1)
    kept = [epoch for epoch in follower if epoch <= newest]
    return min(len(kept), len(leader))
