"""Tries again until the index is right, which it never is for the second one."""

REASON = "can be repeated for ever"


def answer(session, payment):
    while session.update_where(f"index {payment.partition}", payment.number, payment.number + 1) == 0:
        pass
    if session.read(payment.pays) >= payment.amount:
        session.add(payment.pays, -payment.amount)
        session.add(payment.gets, payment.amount)
    session.commit()
