def answer(session, number):
    if session.read_for_update("index") != number:
        return session.rollback()
    session.update("counter", session.read_for_update("counter") + 1)
    session.update("index", number + 1)
    return session.commit()
