# Plausible: what is read stays as it was, so who writes should be refused.
REASON = "At repeatable read the article's handler breaks"


def consume(session, read):
    index = session.read("index")
    session.add("counter", read(index))
    if session.update_where("index", index, index + 1):
        session.commit()
    else:
        session.rollback()


answer = {"level": "repeatable read", "consume": consume}
