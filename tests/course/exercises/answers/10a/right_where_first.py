def consume(session, read):
    index = session.read("index")
    amount = read(index)
    if not session.update_where("index", index, index + 1):
        session.rollback()
        return
    session.add("counter", amount)
    session.commit()


answer = {"level": "snapshot", "consume": consume}
