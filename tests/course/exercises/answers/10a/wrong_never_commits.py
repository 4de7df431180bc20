REASON = "commit it or roll it back before the next one begins"


def consume(session, read):
    index = session.read("index")
    session.add("counter", read(index))
    session.update("index", index + 1)


answer = {"level": "snapshot", "consume": consume}
