REASON = "A weaker level will do, too"


def consume(session, read):
    index = session.read("index")
    session.add("counter", read(index))
    if session.update_where("index", index, index + 1):
        session.commit()
    else:
        session.rollback()


answer = {"level": "serializable", "consume": consume}
