REASON = "At read committed, two nodes at once"


def consume(session, read):
    index = session.read("index")
    amount = read(index)
    if session.read("index") != index:
        session.rollback()
        return
    session.add("counter", amount)
    session.update("index", index + 1)
    session.commit()


answer = {"level": "snapshot", "consume": consume}
