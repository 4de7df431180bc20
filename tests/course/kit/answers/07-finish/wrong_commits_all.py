REASON = "the counter is 2 and should be 1"


def answer(node, engine):
    engine.decided()
    for identifier in node.database.prepared():
        int(identifier.split(".")[0])
        node.database.commit_prepared(identifier)
