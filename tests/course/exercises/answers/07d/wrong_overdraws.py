"""Does not look at the balance."""

REASON = "has paid more than was there"


def answer(session, payment):
    index = f"index {payment.partition}"
    if session.update_where(index, payment.number, payment.number + 1) == 0:
        session.rollback()
        return
    for account, amount in sorted([(payment.pays, -payment.amount), (payment.gets, payment.amount)]):
        session.add(account, amount)
    session.commit()
