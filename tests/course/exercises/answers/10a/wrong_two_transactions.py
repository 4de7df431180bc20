REASON = "At read committed, one node"


def consume(session, read):
    index = session.read("index")
    session.add("counter", read(index))
    session.commit()
    session.update("index", index + 1)
    session.commit()


answer = {"level": "snapshot", "consume": consume}
