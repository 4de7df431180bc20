REASON = "the counter is 2 and should be 1"


def answer(node, engine):
    decided = engine.decided()
    for identifier in node.database.prepared():
        epoch = int(identifier.split(".")[0])
        node.database.commit_prepared(identifier)
