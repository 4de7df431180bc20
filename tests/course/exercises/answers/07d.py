"""Answers to the exercise 07d."""

from tests.course.answers import Answers

answers = Answers("07d")

# Locks index and accounts, and sets the computed values.
answers.right("everything for update").code("""
    def answer(session, payment):
        rows = [f"index {payment.partition}", *sorted([payment.pays, payment.gets])]
        held = {row: session.read_for_update(row) for row in rows}
        if held[rows[0]] != payment.number:
            return session.rollback()
        session.update(rows[0], payment.number + 1)
        if held[payment.pays] >= payment.amount:
            session.update(payment.pays, held[payment.pays] - payment.amount)
            session.update(payment.gets, held[payment.gets] + payment.amount)
        return session.commit()
""")

# Advances the index, locks the accounts by name, pays.
answers.right("index first").code("""
    def answer(session, payment):
        index = f"index {payment.partition}"
        if session.update_where(index, payment.number, payment.number + 1) == 0:
            session.rollback()
            return
        held = {account: session.read_for_update(account) for account in sorted((payment.pays, payment.gets))}
        if held[payment.pays] >= payment.amount:
            session.add(payment.pays, -payment.amount)
            session.add(payment.gets, payment.amount)
        session.commit()
""")

# Moves the money in the order of the names, looks, and moves it back if it was not there.
answers.right("pays and takes back").code("""
    def answer(session, payment):
        index = f"index {payment.partition}"
        moves = sorted([(payment.pays, -payment.amount), (payment.gets, payment.amount)])
        for account, amount in moves:
            session.add(account, amount)
        if session.read(payment.pays) < 0:
            for account, amount in moves:
                session.add(account, -amount)
        if session.update_where(index, payment.number, payment.number + 1) == 1:
            session.commit()
        else:
            session.rollback()
""")

# Locks who pays first. Plausible: every row is locked before it is used.
answers.plausible(
    "locks in the order of payment",
    (") for account in sorted((payment.pays, payment.gets)", ") for account in (payment.pays, payment.gets"),
    of="index first",
    reason="two accounts pay each other: deadlock",
)

# Sets the index WHERE it is the old one, and does not look at the count. Plausible: the condition is there.
answers.plausible("count ignored", of="index first", reason="Ada 20, Ben 180").diff("""
    -    if session.update_where(index, payment.number, payment.number + 1) == 0:
    +    if session.read(index) != payment.number:
    @@
             return
    +    session.update_where(index, payment.number, payment.number + 1)
""")

# Reads the index and SETs it. Plausible: one transaction, and the index is looked at.
answers.plausible("set", of="index first", reason="Ada 20, Ben 180").diff("""
    -    if session.update_where(index, payment.number, payment.number + 1) == 0:
    +    if session.read(index) != payment.number:
    @@
             session.add(payment.gets, payment.amount)
    +    session.update(index, payment.number + 1)
""")

# Acts on a balance that it has only read. Plausible: the index is advanced by one node alone.
answers.plausible("old balance", reason="has paid more than was there").code("""
    def answer(session, payment):
        index = f"index {payment.partition}"
        if session.update_where(index, payment.number, payment.number + 1) == 0:
            session.rollback()
            return
        if session.read(payment.pays) >= payment.amount:
            for account, amount in sorted([(payment.pays, -payment.amount), (payment.gets, payment.amount)]):
                session.add(account, amount)
        session.commit()
""")

# Forgets to end the transaction of a payment that somebody else has carried out.
answers.wrong("never ends", of="index first", reason="commit it or roll it back").diff("""
    -        session.rollback()
""")

# Keeps one index for both partitions.
answers.wrong("index of one partition", of="index first", reason="index 1 is 5 when all nodes have ended").diff("""
    -    index = f"index {payment.partition}"
    -    if session.update_where(index, payment.number, payment.number + 1) == 0:
    +    if session.update_where("index 0", payment.number, payment.number + 1) == 0:
""")

# Rolls back a payment that is not covered, index and all.
answers.wrong("leaves what is not covered", reason="is not consumed").code("""
    def answer(session, payment):
        index = f"index {payment.partition}"
        if session.update_where(index, payment.number, payment.number + 1) == 0:
            session.rollback()
            return
        held = {account: session.read_for_update(account) for account in sorted((payment.pays, payment.gets))}
        if held[payment.pays] < payment.amount:
            session.rollback()
            return
        session.add(payment.pays, -payment.amount)
        session.add(payment.gets, payment.amount)
        session.commit()
""")

# Does not look at the balance.
answers.wrong("overdraws", reason="has paid more than was there").code("""
    def answer(session, payment):
        index = f"index {payment.partition}"
        if session.update_where(index, payment.number, payment.number + 1) == 0:
            session.rollback()
            return
        for account, amount in sorted([(payment.pays, -payment.amount), (payment.gets, payment.amount)]):
            session.add(account, amount)
        session.commit()
""")

# Sets values computed from balances that it has only read.
answers.wrong("sets the balance", reason="one account pays twice").code("""
    def answer(session, payment):
        index = f"index {payment.partition}"
        if session.update_where(index, payment.number, payment.number + 1) == 0:
            session.rollback()
            return
        held = {account: session.read(account) for account in (payment.pays, payment.gets)}
        if held[payment.pays] >= payment.amount:
            for account, amount in sorted([(payment.pays, -payment.amount), (payment.gets, payment.amount)]):
                session.update(account, held[account] + amount)
        session.commit()
""")

# Tries again until the index is right, which it never is for the second one.
answers.wrong("waits for its turn", reason="can be repeated for ever").code("""
    def answer(session, payment):
        while session.update_where(f"index {payment.partition}", payment.number, payment.number + 1) == 0:
            pass
        if session.read(payment.pays) >= payment.amount:
            session.add(payment.pays, -payment.amount)
            session.add(payment.gets, payment.amount)
        session.commit()
""")
