"""Moves the money in the order of the names, looks, and moves it back if it was not there."""


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
