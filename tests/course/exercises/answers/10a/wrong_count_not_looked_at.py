# Plausible: the index is set once, but the effect stays.
REASON = "At read committed, two nodes at once"


def consume(session, read):
    index = session.read("index")
    session.add("counter", read(index))
    session.update_where("index", index, index + 1)
    session.commit()


answer = {"level": "snapshot", "consume": consume}
