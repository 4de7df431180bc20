# Plausible: one transaction, and the index is looked at.
"""Reads the index and SETs it."""

REASON = "Ada 20, Ben 180"


def answer(session, payment):
    index = f"index {payment.partition}"
    if session.read(index) != payment.number:
        session.rollback()
        return
    held = {account: session.read_for_update(account) for account in sorted((payment.pays, payment.gets))}
    if held[payment.pays] >= payment.amount:
        session.add(payment.pays, -payment.amount)
        session.add(payment.gets, payment.amount)
    session.update(index, payment.number + 1)
    session.commit()
