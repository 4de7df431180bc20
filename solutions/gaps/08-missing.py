from exactly_once.course.kit import gap


def missing(stage, step, kind, amount):
    ### BEGIN SOLUTION
    withdrawn = step in ("store.write", "store.cas") and kind == "crash after"
    between = stage == "halves" and step == "lock.release"
    return amount if withdrawn or between else 0
    ### END SOLUTION


counting = gap("08-missing", missing)
counting
