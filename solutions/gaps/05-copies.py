from exactly_once.course.kit import gap


def copies(rule, kind):
    ### BEGIN SOLUTION
    if kind in ("lost request", "crash before"):
        return 1
    if rule == "no rule":
        return 2
    return 2 if rule == "Kafka's rule, new ids" and kind == "crash after" else 1
    ### END SOLUTION


counting = gap("05-copies", copies)
counting
