# %% [markdown] id="title"
# # 08 · Half-transactions: exercises
#
# Four exercises for [chapter 08](../notebooks/08-half-transactions.ipynb), about 145 minutes: a warm-up, two tasks and a challenge. Each exercise has a task, `show(answer)`, which draws what your answer does, and `check(answer)`, which says *right*, or *wrong* with the simplest case that shows the mistake. Hints go from a nudge, `hint(1)`, to the decisive idea, `hint(4)`. Ask for them whenever you like; after two wrong tries the next hint is offered.

# %% [markdown] id="08a-task"
# ## (a) A lock order (warm-up, 10 minutes)
#
# Each mover acquires the locks of all accounts that its transfer touches, one after the other, before it changes anything. Usually there are two accounts; with a fee there may be three. A mover that finds a lock taken waits for this lock. The movers are in different processes, and each mover decides by itself in which order it acquires its locks.
#
# Write `lock_order(accounts)`. `accounts` is a list of pairs `(name, balance)` of the accounts that this transfer touches, in the order of the transfer: the account that pays comes first. An account may appear twice. The balances are those of the moment at which the mover asks, so two movers may get different balances.
#
# Return the list of the names whose locks the mover must acquire, in order, so that no set of movers can ever wait in a circle.

# %% [markdown] id="08a-hints" tags=["hints"]
# 1. Two movers wait for each other when one has the lock of ada and wants the lock of bob, and the other has the
#    lock of bob and wants the lock of ada. What must the two movers have in common to prevent this?
# 2. Any order of all accounts will do, as long as it is the same order for every mover at every moment. A balance
#    changes from moment to moment, and the account that pays differs from mover to mover.
# 3. A transfer from an account to itself names this account twice, and so does a fee that goes to one of the two
#    accounts. Its lock must be acquired once.
# 4. Alphabetical order by name serves, because a name never changes and means the same to every mover. Collect the
#    names without the balances; a set holds each name once, and `sorted` makes a list of it.

# %% id="08a-answer"
def lock_order(accounts):
    ### BEGIN SOLUTION
    return sorted({name for name, balance in accounts})
    ### END SOLUTION

# %% [markdown] id="08a-show-words"
# The order for four transfers:

# %% [markdown] id="08a-check-words"
# The check asks about many transfers, and looks among the answers for the smallest circle of movers.

# %% [markdown] id="08a-why" tags=["solution"]
# **Why.** In a circle of waiting movers at least one mover holds a later lock and waits for an earlier one. With one order for all movers, no mover ever does. Any total order will do, of names or of numbers, as long as every mover computes the same order at every moment. A balance is not fit for the order, because it changes; the paying account is not, because it differs between movers; and the order of a set is not, because it differs between processes. A deadlock needs four conditions at once (Coffman, Elphick and Shoshani, 1971), and the order removes one of them, the circular wait. The other conditions can be attacked, too: databases find the circle and abort one of its transactions.

# %% [markdown] id="08b-task"
# ## (b) Withdraw from two accounts (task, 20 minutes)
#
# A customer has two accounts in one store, `"savings"` and `"current"`, and withdraws an amount that may be more than either account holds. There is no transaction, and no lock: each account is a cell, changed by [compare-and-swap](../notebooks/glossary.md#compare-and-swap).
#
# Write `withdraw_both(bank, first, second, amount)`; `first` and `second` are the names of the accounts. `bank.read(name)` returns `(version, balance)`; `bank.cas(name, version, balance)` writes a balance if the cell still has this version, raises the version by one, and returns whether it wrote. Each read and each `cas` is a step: other customers withdraw from the same accounts at the same time, by your function.
#
# - The function returns `True` when the whole amount was withdrawn, from one account or from two, and `False` when nothing was withdrawn.
# - No balance is ever below zero.
# - When all customers have finished, the accounts hold the money that was not paid out.
# - Where there is enough for all customers, no customer is refused. (Where there is too little, several may be refused although one of them could have been paid.)
#
# Nobody dies in this exercise, and no message is lost.

# %% [markdown] id="08b-hints" tags=["hints"]
# 1. Each account is a cell of its own, and no step touches two cells. So there is a moment when the first part is
#    taken and the second is not. What must happen at that moment if the second account has too little?
# 2. Between a read and its cas another customer may write. Then cas returns False, nothing was written, and your
#    reading is old. Read again, and decide again: the balance may be smaller now.
# 3. Take the balance of the first account, at most the amount. Take the rest from the second account if it holds
#    the rest. If not, put the first part back: read and cas again; do not write the balance that you know.
# 4. Write a helper for one account: it reads, computes the new balance, tries `cas`, and begins again when `cas`
#    returns False. Use the helper three times: to take from the first account, to take the rest from the second,
#    and to put back. The amount taken from the first account is known only after the helper's last attempt, since
#    the balance may have changed. Putting back adds to whatever balance is there now.

# %% id="08b-answer"
def withdraw_both(bank, first, second, amount):
    ### BEGIN SOLUTION
    def change(account, by):
        while True:
            version, balance = bank.read(account)
            if balance + by(balance) < 0:
                return None
            if bank.cas(account, version, balance + by(balance)):
                return by(balance)

    taken = -change(first, lambda balance: -min(balance, amount))
    rest = amount - taken
    if change(second, lambda balance: -rest) is None:
        change(first, lambda balance: taken)
        return False
    return True
    ### END SOLUTION

# %% [markdown] id="08b-show-words"
# Your function withdraws 8 when it runs alone, and the accounts hold 6 and 4:

# %% [markdown] id="08b-check-words"
# Ten cases are explored, with one customer and with two, in every order of their steps.

# %% [markdown] id="08b-why" tags=["solution"]
# **Why.** There are two half-transactions, and a third one that undoes the first. The third is a *compensation*, and the whole is a small saga (Garcia-Molina and Salem, 1987). A compensation is no rollback: meanwhile other customers have seen the smaller balance, and one of them may have been refused because of it. Each half reads and decides again when its `cas` is refused: a refused `cas` says that another customer was there, not that the money is gone. The compensation adds to the balance of that moment; a write of the old balance would undo the work of others. If the customer's process dies before the compensation, the money is gone: that is the challenge below.

# %% [markdown] id="08d-task"
# ## (d) An auditor that is never fooled (task, 25 minutes)
#
# Each account is now in a store of its own, and a transfer is two halves by compare-and-swap. So no transaction and no lock covers two accounts, and an auditor that adds up the balances gets a wrong total. This bank helps the auditor: each half notes its order in the same cell, in the same step. A cell holds a dictionary with
#
# - `balance`;
# - `sent`: `{order: amount}`, each withdrawal for a transfer from this account;
# - `got`: `{order: amount}`, each deposit for a transfer to this account.
#
# An order that is refused for insufficient funds leaves no trace. Write `audit(read, accounts)`, where `accounts` are the names and `read(account)` returns `(version, cell)`. Each read is a step, and anything may happen between two reads. A mover may die between its two halves, and then nobody makes its deposit. Return the total of the bank, including money in transit: this total is the same at every moment. The auditor never waits for a mover.

# %% [markdown] id="08d-hints" tags=["hints"]
# 1. When the total of the balances is too small, where is the rest? The source's cell has a note of the money, and
#    so does the target's cell once the money has arrived.
# 2. Money that was sent and not got is in transit, and belongs to the total. But the auditor reads b after a: in
#    between, both halves of an order may happen. What does the auditor then find in b, and not in a?
# 3. An order in `got` and not in `sent` left its source after the auditor had read the source: there, the money
#    was still in the balance. The money counts twice, unless you subtract it once, or read again.
# 4. Each account by itself tells its opening balance: its balance, plus all that it sent, minus all that it got.
#    The opening balance never changes, so the moment of each read does not matter.

# %% id="08d-answer"
def audit(read, accounts):
    ### BEGIN SOLUTION
    total = 0
    for account in accounts:
        version, cell = read(account)
        sent, got = sum(cell["sent"].values()), sum(cell["got"].values())
        total += cell["balance"] + sent - got
    return total
    ### END SOLUTION

# %% [markdown] id="08d-show-words"
# A run with two movers, in which nothing goes wrong:

# %% [markdown] id="08d-check-words"
# Seven banks are explored, with every order of the reads and of the halves.

# %% [markdown] id="08d-why" tags=["solution"]
# **Why.** Two things mislead an auditor here. First, money in transit is in no balance. To read everything twice, until no version has changed, does not help: the auditor may read twice between the two halves, and find the accounts at rest. Second, an account that is read before a transfer does not fit one that is read after it: the auditor finds the same money in both. Chandy and Lamport's snapshots (1985) solve the two problems by counting the messages in the channels, on a *consistent cut*. The solution above needs no cut: an account's balance, plus all that it sent, minus all that it got, is its opening balance, which never changes. The notes make this possible, and they grow with every order; a real system drops old notes, and has to know which orders are finished.

# %% [markdown] id="08e-task"
# ## (e) A transfer that never loses money (challenge, 90 minutes)
#
# **The systems.** There are two accounts in two systems that share nothing, `ada` in `bank_a` and `bob` in `bank_b`. Each account is a cell that holds a dictionary, at first `{"balance": 10}` for ada and `{"balance": 4}` for bob. The checker reads `balance`; all other entries of the dictionary, and all other cells of the two systems, are yours.
#
# **The function.** `transfer(here, there, order)` moves `order.amount` from the account `order.source` in the system `here` to the account `order.target` in the system `there`. `order.name` is the name of the order, such as `"t1"`. A system has `read(cell)`, which returns `(version, value)`, with `(0, None)` before the first write; `write(cell, value)`; and `cas(cell, version, value)`. Your function returns `True` for an order that was carried out, and `False` for an order that was refused because the source has too little.
#
# **The faults.** A mover carries out a list of orders, one after the other, by your function. Its process dies before or after any step; the next incarnation knows nothing, and begins with the first order again. Or the process is taken for dead, another incarnation takes over, and then the old process wakes up and goes on. A request is lost, or its reply: the step raises `OutcomeUnknown`, and if you do not catch it, the process ends. A request arrives twice, or late: at any later moment, or never. Two movers may get the same orders. And another mover moves money back meanwhile, by your function, with orders of other names.
#
# **The specification.** The checker uses this text:

# %% [markdown] id="08e-hints" tags=["hints"]
# 1. After a crash the next incarnation gets the same order again, and knows nothing. For each half it must find out
#    whether that half was done. Where can you note a half so that the half and its note are one step?
# 2. One cell changes in one step. Write the order into the cell beside the balance, with the same cas that changes
#    the balance. Do not repeat a half whose order is noted there.
# 3. A refusal is a decision, too. If it is not noted, the next incarnation may find more money there and decide
#    otherwise, after the customer was told. And the answer has to follow the note, not this process's own work.
# 4. Write one helper for a half: read the account; if the order's name is in the cell, return the noted answer;
#    otherwise decide, and write note and balance with one store.cas. A refused cas leads back to the read. A
#    refused order changes the note and leaves the balance. The transfer uses the helper twice, and begins the
#    second half only if the first half was carried out.

# %% id="08e-specification"

# %% [markdown] id="08e-answer-words"
# There is no skeleton. Think of the notes that the next incarnation has to find. In the chapter a half and its mark were one transaction over two cells; here one `cas` of one cell has to do, and refusals count, too.

# %% id="08e-answer"
def transfer(here, there, order):
    ### BEGIN SOLUTION
    def half(store, account, change):
        while True:
            version, held = store.read(account)
            if order.name in held:
                return held[order.name]
            fine = held["balance"] + change >= 0
            after = held | {order.name: fine}
            after["balance"] += change if fine else 0
            if store.cas(account, version, after):
                return fine

    withdrawn = half(here, order.source, -order.amount)
    return withdrawn and half(there, order.target, order.amount)
    ### END SOLUTION

# %% [markdown] id="08e-show-words"
# One mover carries out two orders, and nothing goes wrong:

# %% [markdown] id="08e-check-words"
# The check explores every schedule of thirteen small worlds. For a wrong transfer it shows the simplest schedule that breaks the specification.

# %% [markdown] id="08e-why" tags=["solution"]
# **Why.** Each half and its note are one step in one cell, so any process can repeat a half any number of times. Then the chain of halves only needs a process that carries it on: the next incarnation, a second mover, or the process that was taken for dead. The note in the source is the intent record: once the note says that the money left, the deposit is owed, and any process that reads the note makes the deposit. A refusal is noted, too, and the answer follows the note; an incarnation that decided again could find other funds, and contradict its predecessor's answer. A `cas` that arrives late or twice either finds a newer version, or takes effect, and the next incarnation finds its note. This is a two-phase commit without a coordinator that blocks: one cell holds the decision. Chapter 10 makes a general machine of this idea, in which the two cells are an input queue and an output queue. There the notes must not grow for ever, and positions replace them.
