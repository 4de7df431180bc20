from exactly_once.course.kit import gap


def surplus(step, kind):
    ### BEGIN SOLUTION
    if step == "database.increment":
        return 1 if kind in ("crash after", "lost reply") else 0
    dies_uncommitted = {
        ("transaction.offsets", "crash before"),
        ("transaction.offsets", "crash after"),
        ("transaction.end", "crash before"),
    }
    return 1 if (step, kind) in dies_uncommitted else 0
    ### END SOLUTION


counting = gap("06-surplus", surplus)
counting
