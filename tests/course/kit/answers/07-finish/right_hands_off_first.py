def answer(node, engine):
    decided = engine.decided()
    for identifier in node.database.prepared():
        epoch = int(identifier.split(".")[0])
        if epoch >= engine.epoch and identifier != decided:
            continue
        end = node.database.commit_prepared if identifier == decided else node.database.rollback_prepared
        end(identifier)
