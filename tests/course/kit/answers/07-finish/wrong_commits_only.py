REASON = "Deadlock"


def answer(node, engine):
    decided = engine.decided()
    for identifier in node.database.prepared():
        int(identifier.split(".")[0])
        if identifier == decided:
            node.database.commit_prepared(identifier)
