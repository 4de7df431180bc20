REASON = "One node, and nothing goes wrong: "


def answer(database, version, index):
    database.transact(("cas", "index", version, index + 1), ("add", "counter", index))
