def consume(session, read):
    index = session.read_for_update("index")
    counter = session.read("counter")
    session.update("counter", counter + read(index))
    session.update("index", index + 1)
    session.commit()


answer = {"level": "snapshot", "consume": consume}
