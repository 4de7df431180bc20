"""Sets what it computed from balances that it has only read."""

REASON = "one account pays twice"


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
