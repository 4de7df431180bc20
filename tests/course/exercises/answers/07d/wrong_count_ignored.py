# Plausible: the condition is there.
"""Sets the index WHERE it is the old one, and does not look at the count."""

REASON = "Ada 20, Ben 180"


def answer(session, payment):
    index = f"index {payment.partition}"
    if session.read(index) != payment.number:
        session.rollback()
        return
    session.update_where(index, payment.number, payment.number + 1)
    held = {account: session.read_for_update(account) for account in sorted((payment.pays, payment.gets))}
    if held[payment.pays] >= payment.amount:
        session.add(payment.pays, -payment.amount)
        session.add(payment.gets, payment.amount)
    session.commit()
