REASON = "On a node of its own"


def answer(session, number):
    if session.read("index") != number:
        session.rollback()
        return
    session.add("counter", 1)
    if session.update_where("index", number, number + 1) == 0:
        session.commit()
    else:
        session.rollback()
