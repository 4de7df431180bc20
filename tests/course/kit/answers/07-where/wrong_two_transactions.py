REASON = "no open transaction"


def answer(session, number):
    if session.read("index") != number:
        session.rollback()
        return
    session.add("counter", 1)
    session.commit()
    session.update_where("index", number, number + 1)
    session.commit()
