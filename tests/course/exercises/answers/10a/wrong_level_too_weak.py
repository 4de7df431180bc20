# Plausible: it is one transaction, so the level should not matter.
REASON = "At read committed the article's handler breaks"


def consume(session, read):
    index = session.read("index")
    session.add("counter", read(index))
    if session.update_where("index", index, index + 1):
        session.commit()
    else:
        session.rollback()


answer = {"level": "read committed", "consume": consume}
