"""Counts up while enough replicas are in sync and every one of them has the offset."""


def answer(before, ends, in_sync, minimum):
    offset = before
    while len(in_sync) >= minimum and all(offset < ends[broker] for broker in in_sync):
        offset += 1
    return offset
