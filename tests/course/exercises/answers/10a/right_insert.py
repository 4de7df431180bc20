def consume(session, read):
    index = session.read("index")
    amount = read(index)
    if session.insert(f"message {index}", "applied") == 0:
        session.rollback()
        return
    session.add("counter", amount)
    session.add("index", 1)
    session.commit()


answer = {"level": "snapshot", "consume": consume}
