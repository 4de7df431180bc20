# %% id="gap-08-commit"
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

# %% id="gap-08-once"
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

# %% [markdown] id="gap-08-once-hints" tags=["hints"]
# ### a half that can be repeated
#
# 1. A process can die between any two steps. Between which two steps must there be no moment?
# 2. Read the account and the mark in one transaction, `store.transact(("read", account), ("read", mark))`, which
#    returns a version and a value for each. A mark whose version is not 0 says that the change was made. What does
#    your function return then?
# 3. The change and its mark are one more `transact` with two `cas`. If `transact` returns None, another process was
#    faster: read both again.

# %% id="gap-08-withdraw"
def withdraw(store, account, amount):
    ### BEGIN SOLUTION
    while True:
        version, balance = store.read(account)
        if balance < amount:
            return False
        if store.cas(account, version, balance - amount):
            return True
    ### END SOLUTION


halfway = gap("08-withdraw", withdraw)

# %% [markdown] id="gap-08-withdraw-hints" tags=["hints"]
# ### the first half
#
# 1. `deposit` shows how one row is changed: read it with its version, and write with `cas`. What has to be known
#    between the two?
# 2. If `cas` returns False, another mover was faster, and the balance that you have read is old. What has to be
#    looked at again?
# 3. The loop has three steps: read version and balance; return False if the balance is less than the amount; return
#    True if the `cas` of the smaller balance succeeds. Otherwise the loop begins again with the read.
