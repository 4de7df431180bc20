def answer(database, version, index):
    effect, moved = ("add", "counter", 1), ("cas", "index", version, index + 1)
    database.transact(effect, moved)
