"""Counts up while every replica in sync has the offset."""


def answer(ends, in_sync):
    offset = 0
    while all(offset < ends[broker] for broker in in_sync):
        offset += 1
    return offset
