"""Forgets to end the transaction of a payment that somebody else has carried out."""

REASON = "commit it or roll it back"


def answer(session, payment):
    index = f"index {payment.partition}"
    if session.update_where(index, payment.number, payment.number + 1) == 0:
        return
    held = {account: session.read_for_update(account) for account in sorted((payment.pays, payment.gets))}
    if held[payment.pays] >= payment.amount:
        session.add(payment.pays, -payment.amount)
        session.add(payment.gets, payment.amount)
    session.commit()
