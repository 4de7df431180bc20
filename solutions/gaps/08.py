# %% id="gap-08-collide"
from exactly_once.course import gap


def collide():
    """Return three orders, one for each mover: [("a", "b", 1), …]."""
    ### BEGIN SOLUTION
    return [("a", "b", 1), ("b", "c", 1), ("c", "a", 1)]
    ### END SOLUTION


colliding = gap("08-collide", collide)
colliding

# %% [markdown] id="gap-08-collide-hints" tags=["hints"]
# ### three that wait in a ring
#
# 1. A mover locks its source first, then its target. For which mover does it wait?
# 2. Two movers with a→b and b→a lock the same two accounts. Any two of yours may share one account at most.
# 3. Arrange the three accounts in a circle: each mover's target is the next mover's source.

# %% id="gap-08-commit"
from exactly_once.course import gap


def transfer(node, source, target, amount):
    bank = node.store("bank")
    reading = ("read", source), ("read", target)
    ### BEGIN SOLUTION
    while True:
        (version, balance), (other, held) = bank.transact(*reading)
        if balance < amount:
            return "insufficient funds"
        withdrawal = ("cas", source, version, balance - amount)
        if bank.transact(withdrawal, ("cas", target, other, held + amount)):
            return "done"
    ### END SOLUTION


commits = gap("08-commit", transfer)
commits

# %% [markdown] id="gap-08-commit-hints" tags=["hints"]
# ### commit both or neither
#
# 1. There are three cases: the funds are insufficient; both accounts are as you read them, and both change; or
#    another mover was faster, and your function has to read again.
# 2. `(version, balance), (other, held) = bank.transact(*reading)` reads both. `("cas", source, version, balance -
#    amount)` is one operation of a transaction; `bank.transact(…, …)` carries out both, or neither, and then
#    returns None.
# 3. The loop has three steps: read both accounts; return if the funds are insufficient; send both writes as one
#    transaction. The "cas" for the target looks like the one for the source, with `other` as its version. A refused
#    transaction returns None, and the loop begins again with the read.

# %% id="gap-08-missing"
from exactly_once.course import gap


def missing(stage, step, kind, amount):
    ### BEGIN SOLUTION
    withdrawn = step in ("store.write", "store.cas") and kind == "crash after"
    between = stage == "halves" and step == "lock.release"
    return amount if withdrawn or between else 0
    ### END SOLUTION


counting = gap("08-missing", missing)
counting

# %% [markdown] id="gap-08-missing-hints" tags=["hints"]
# ### how much is gone
#
# 1. One question decides the amount: was the withdrawal done, and the deposit not?
# 2. The withdrawal is the first "store.write", or the first "store.cas". In one transaction there is no such
#    moment. And what has happened when "halves" releases its first lock, and when "ordered" does?
# 3. Two kinds of places count. The money is missing right after the withdrawal's write, when the process dies
#    behind it. And it is missing between the two halves: only the stage "halves" releases a lock there, so every
#    crash at that release counts.

# %% id="gap-08-once"
from exactly_once.course import gap


def once(store, account, change, mark):
    ### BEGIN SOLUTION
    while True:
        (version, balance), (marked, _) = store.transact(("read", account), ("read", mark))
        if marked:
            return True
        if balance + change < 0:
            return False
        if store.transact(("cas", account, version, balance + change), ("cas", mark, 0, "done")):
            return True
    ### END SOLUTION


repeatable = gap("08-once", once)
repeatable

# %% [markdown] id="gap-08-once-hints" tags=["hints"]
# ### a half that can be repeated
#
# 1. A process can die between any two steps. Between which two steps must there be no moment?
# 2. Read the account and the mark in one transaction, `store.transact(("read", account), ("read", mark))`, which
#    returns a version and a value for each. A mark whose version is not 0 says that the change was made. What does
#    your function return then?
# 3. The change and its mark are one more `transact` with two `cas`. If `transact` returns None, another process was
#    faster: read both again.
