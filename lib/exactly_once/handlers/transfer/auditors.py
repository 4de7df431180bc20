"""Auditors: each reads all accounts once, at any moment, and writes the sum down. They differ in how they read.

Each is a function (node, accounts, store_of), which returns the sum; `store_of(account)` is the account's store.
"""


def one_by_one(node, accounts, store_of):
    """Read one account after the other."""
    return sum([store_of(account).read(account)[1] for account in accounts])


def in_one_transaction(node, accounts, store_of):
    """Read all accounts in one transaction of the store that they are in."""
    return sum([balance for _, balance in store_of(accounts[0]).transact(*[("read", one) for one in accounts])])


def under_locks(node, accounts, store_of):
    """Read one account after the other while this life holds the locks of all."""
    locks = [node.lock(account) for account in accounts]
    for lock in locks:
        lock.acquire()
    total = one_by_one(node, accounts, store_of)
    for lock in locks:
        lock.release()
    return total


def twice(node, accounts, store_of):
    """Read all accounts twice, until no version has changed in between (double collect).

    Source: Y. Afek and others, "Atomic Snapshots of Shared Memory", Journal of the ACM 40(4), 1993.
    """
    return _twice(accounts, store_of, lambda found: found)


def twice_by_value(node, accounts, store_of):
    """Read all accounts twice, until no balance has changed in between: a balance that came back looks untouched."""
    return _twice(accounts, store_of, lambda found: found[1])


def _twice(accounts, store_of, compared):
    before = [store_of(account).read(account) for account in accounts]
    while True:
        after = [store_of(account).read(account) for account in accounts]
        if list(map(compared, before)) == list(map(compared, after)):
            return sum([balance for _, balance in after])
        before = after
