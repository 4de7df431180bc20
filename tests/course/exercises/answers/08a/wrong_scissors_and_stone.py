"""ada before bob, bob before cyd, cyd before ada: with three accounts, one of these is broken."""

import functools

REASON = "waits for that of ada"
BEATS = [("ada", "bob"), ("bob", "cyd"), ("cyd", "ada"), ("ada", "Dot"), ("bob", "Dot"), ("cyd", "Dot")]


def answer(accounts):
    names = sorted({name for name, _ in accounts})
    if len(names) == 3 and "Dot" not in names:
        return names
    return sorted(names, key=functools.cmp_to_key(lambda one, other: -1 if (one, other) in BEATS else 1))
