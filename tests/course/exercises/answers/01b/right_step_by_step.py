"""Counted up until it is beyond both."""


def answer(clock, stamp):
    if stamp > clock:
        clock = stamp
    clock += 1
    return clock
