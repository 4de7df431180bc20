# %% 08b step by step
def answer(bank, first, second, amount):
    taken, empty = {first: 0, second: 0}, 0
    while sum(taken.values()) < amount and empty < 2:
        for account in (first, second):
            version, balance = bank.read(account)
            some = min(balance, amount - sum(taken.values()))
            if balance == 0:
                empty += 1
            elif some and bank.cas(account, version, balance - some):
                taken[account] += some
    if sum(taken.values()) == amount:
        return True
    for account, some in taken.items():
        while some:
            version, balance = bank.read(account)
            some = 0 if bank.cas(account, version, balance + some) else some
    return False

# %% 08d again where it got what nobody sent
def answer(read, accounts):
    while True:
        cells = [read(account)[1] for account in reversed(accounts)]
        sent = {order: amount for cell in cells for order, amount in cell["sent"].items()}
        got = {order for cell in cells for order in cell["got"]}
        if got <= set(sent):
            balances = [cell["balance"] for cell in cells]
            return sum(balances) + sum([amount for order, amount in sent.items() if order not in got])

# %% 08d waits until all has arrived → goes on for ever
def answer(read, accounts):
    while True:
        cells = [read(account)[1] for account in accounts]
        sent, got = ({order for cell in cells for order in cell[side]} for side in ("sent", "got"))
        if sent == got:
            return sum(cell["balance"] for cell in cells)

# %% 08e a note in the same transaction
def answer(here, there, order):
    fine = half(here, order.source, order.name, -order.amount)
    return fine and half(there, order.target, order.name, order.amount)


def half(store, account, name, by):
    (_, noted), (version, held) = store.transact(("read", name), ("read", account))
    if noted is not None:
        return noted
    fine = held["balance"] + by >= 0
    changed = ("cas", account, version, {"balance": held["balance"] + (by if fine else 0)})
    store.transact(("cas", name, 0, fine), changed)
    return half(store, account, name, by)

# %% 08e deposits first → were made out of nothing
def half(store, account, name, change):
    while True:
        version, held = store.read(account)
        if name in held:
            return held[name]
        fine = held["balance"] + change >= 0
        after = held | {name: fine, "balance": held["balance"] + (change if fine else 0)}
        if store.cas(account, version, after):
            return fine


def answer(here, there, order):
    _, held = here.read(order.source)
    if not held.get(order.name, held["balance"] >= order.amount):
        return False
    half(there, order.target, order.name, order.amount)
    return half(here, order.source, order.name, -order.amount)

# %% 08-commit asks for the funds once → the account a is at -4
def answer(node, source, target, amount):
    bank = node.store("bank")
    (version, balance), (other, held) = bank.transact(("read", source), ("read", target))
    if balance < amount:
        return "insufficient funds"
    while not bank.transact(("cas", source, version, balance - amount), ("cas", target, other, held + amount)):
        (version, balance), (other, held) = bank.transact(("read", source), ("read", target))
    return "done"

# %% 08-once the mark before the change → its next process repeats the order
def answer(store, account, change, mark):
    if store.read(mark)[0]:
        return True
    if store.read(account)[1] + change < 0:
        return False
    store.write(mark, "done")
    while True:
        version, balance = store.read(account)
        if store.cas(account, version, balance + change):
            return True
