REASON = "is prepared in the database, and nobody has ended it"


def answer(node, engine):
    decided = engine.decided()
    for identifier in node.database.prepared():
        epoch = int(identifier.split(".")[0])
        if identifier != decided and epoch < engine.epoch:
            node.database.rollback_prepared(identifier)
