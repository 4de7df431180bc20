REASON = "Two nodes at once: "


def answer(database, version, index):
    database.transact(("write", "index", index + 1), ("add", "counter", 1))
