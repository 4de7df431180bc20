REASON = "At read committed, two nodes at once"


def consume(session, read):
    counter, index = session.read("counter"), session.read("index")
    amount = read(index)
    if session.update_where("counter", counter, counter + amount):
        session.update("index", index + 1)
        session.commit()
    else:
        session.rollback()


answer = {"level": "snapshot", "consume": consume}
