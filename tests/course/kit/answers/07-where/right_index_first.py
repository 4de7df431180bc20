def answer(session, number):
    if session.update_where("index", number, number + 1):
        session.add("counter", 1)
    session.commit()
