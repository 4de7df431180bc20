"""Keeps one index for both partitions."""

REASON = "index 1 is 5 when all nodes have ended"


def answer(session, payment):
    if session.update_where("index 0", payment.number, payment.number + 1) == 0:
        session.rollback()
        return
    held = {account: session.read_for_update(account) for account in sorted((payment.pays, payment.gets))}
    if held[payment.pays] >= payment.amount:
        session.add(payment.pays, -payment.amount)
        session.add(payment.gets, payment.amount)
    session.commit()
