"""Locks index and accounts, and sets what it computed."""


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
