REASON = "and the counter is 1"


def answer(database, version, index):
    database.transact(("add", "counter", 1))
    database.transact(("cas", "index", version, index + 1))
