def answer(node, engine):
    database = node.database
    for identifier in sorted(database.prepared(), reverse=True):
        if engine.decided() == identifier:
            database.commit_prepared(identifier)
        elif int(identifier.partition(".")[0]) < engine.epoch:
            database.rollback_prepared(identifier)
