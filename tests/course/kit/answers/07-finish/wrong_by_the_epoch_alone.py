REASON = "the counter is 0 and should be 1"


def answer(node, engine):
    engine.decided()
    for identifier in node.database.prepared():
        epoch = int(identifier.split(".")[0])
        if epoch < engine.epoch:
            node.database.rollback_prepared(identifier)
        else:
            node.database.commit_prepared(identifier)
