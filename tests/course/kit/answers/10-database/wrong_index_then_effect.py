REASON = "the index says that 1 messages were applied, and the counter is 0"


def answer(database, version, index):
    if database.cas("index", version, index + 1):
        database.increment()
