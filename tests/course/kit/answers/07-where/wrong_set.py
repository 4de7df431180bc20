REASON = "the counter was moved"


def answer(session, number):
    if session.read("index") != number:
        session.rollback()
        return
    session.add("counter", 1)
    session.update("index", number + 1)
    session.commit()
