REASON = "the counter is 0 and should be 1"


def answer(node, engine):
    engine.decided()
    for identifier in node.database.prepared():
        int(identifier.split(".")[0])
        node.database.rollback_prepared(identifier)
