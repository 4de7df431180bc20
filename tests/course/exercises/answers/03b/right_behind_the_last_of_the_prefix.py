"""Goes behind the last record of those that are finished without a hole, and so stops before a gap, not after it."""

import itertools


def answer(began, handed_out, finished):
    whole = list(itertools.takewhile(finished.__contains__, handed_out))
    return whole[-1] + 1 if whole else began
