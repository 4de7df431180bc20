"""The transfer of S9 in five stages, and with the early return: each moves an amount between two accounts.

Each is a function (node, source, target, amount), which returns `DONE` or `INSUFFICIENT`: then nothing was moved.
A lock has the name of its account, and an account is a cell of that name: in the store "bank", or, where the accounts
are apart, in the store `bank_of(account)`, which shares nothing with the others.

An auditor is a function (node, accounts, store_of), which reads all accounts once, at any moment, and returns their
sum. Auditors differ in how they read; `store_of(account)` is the account's store.

Source: the article on heterogeneous concurrent exactly-once processing by lock-free half-transactions. The first
stage reads, and commits only if the values that it read are unchanged, as in H. T. Kung and J. T. Robinson, "On
Optimistic Methods for Concurrency Control", TODS 6(2), 1981.
"""

DONE, INSUFFICIENT = "done", "insufficient funds"
BANK = "bank"


def bank_of(account):
    """Return the name of the store of an account, where each has one of its own."""
    return f"{BANK}_{account}"


def one_transaction(node, source, target, amount):
    """Move an amount in one transaction of the one store: both accounts change, or neither does."""
    bank = node.store(BANK)
    while True:
        (version, balance), (other, held) = bank.transact(("read", source), ("read", target))
        if balance < amount:
            return INSUFFICIENT
        if bank.transact(("cas", source, version, balance - amount), ("cas", target, other, held + amount)):
            return DONE


def two_locks(node, source, target, amount):
    """Move an amount while this life holds the locks of both accounts, the source's first."""
    with node.lock(source), node.lock(target):
        return move(node.store(BANK), source, target, amount)


def ordered_locks(node, source, target, amount):
    """Move an amount while this life holds both locks, which all lives acquire in the order of their names."""
    first, second = sorted((source, target))
    with node.lock(first), node.lock(second):
        return move(node.store(BANK), source, target, amount)


def early_return(node, source, target, amount):
    """Move an amount under ordered locks, released by hand at the end: without enough funds both stay locked.

    The article's listing releases no lock on any path; this is a translation into a language without scoped locks.

    It is the life that holds a lock: the locks are free again when this life ends, and not before.
    """
    bank = node.store(BANK)
    first, second = sorted((source, target))
    node.lock(first).acquire()
    node.lock(second).acquire()
    _, balance = bank.read(source)
    if balance < amount:
        return INSUFFICIENT
    bank.write(source, balance - amount)
    _, held = bank.read(target)
    bank.write(target, held + amount)
    node.lock(second).release()
    node.lock(first).release()
    return DONE


def one_lock_at_a_time(node, source, target, amount):
    """Lock the source, withdraw, release; then lock the target, deposit, release."""
    bank = node.store(BANK)
    with node.lock(source):
        _, balance = bank.read(source)
        if balance < amount:
            return INSUFFICIENT
        bank.write(source, balance - amount)
    with node.lock(target):
        _, held = bank.read(target)
        bank.write(target, held + amount)
    return DONE


def two_stores(node, source, target, amount):
    """Withdraw from the source's store, then deposit in the target's, each by compare-and-swap, without a lock."""
    if not withdraw(node.store(bank_of(source)), source, amount):
        return INSUFFICIENT
    deposit(node.store(bank_of(target)), target, amount)
    return DONE


def move(bank, source, target, amount):
    """Move an amount in four steps. Returns `DONE` or `INSUFFICIENT`; nobody else may write to these accounts."""
    _, balance = bank.read(source)
    if balance < amount:
        return INSUFFICIENT
    bank.write(source, balance - amount)
    _, held = bank.read(target)
    bank.write(target, held + amount)
    return DONE


def withdraw(store, account, amount):
    """Take an amount from an account by compare-and-swap; return whether it was there. A half-transaction."""
    while True:
        version, balance = store.read(account)
        if balance < amount:
            return False
        if store.cas(account, version, balance - amount):
            return True


def deposit(store, account, amount):
    """Add an amount to an account by compare-and-swap. A half-transaction."""
    while True:
        version, balance = store.read(account)
        if store.cas(account, version, balance + amount):
            return


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
