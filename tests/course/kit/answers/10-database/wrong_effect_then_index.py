REASON = "the index says that 0 messages were applied, and the counter is 1"


def answer(database, version, index):
    database.increment()
    database.cas("index", version, index + 1)
