# Plausible: the index is advanced by one node alone.
"""Acts on a balance that it has only read."""

REASON = "has paid more than was there"


def answer(session, payment):
    index = f"index {payment.partition}"
    if session.update_where(index, payment.number, payment.number + 1) == 0:
        session.rollback()
        return
    if session.read(payment.pays) >= payment.amount:
        for account, amount in sorted([(payment.pays, -payment.amount), (payment.gets, payment.amount)]):
            session.add(account, amount)
    session.commit()
