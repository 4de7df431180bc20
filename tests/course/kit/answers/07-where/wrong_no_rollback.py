REASON = "commit it or roll it back"


def answer(session, number):
    if session.read("index") != number:
        session.rollback()
        return
    session.add("counter", 1)
    if session.update_where("index", number, number + 1) == 1:
        session.commit()
