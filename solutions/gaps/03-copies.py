from exactly_once.course.kit import gap


def copies(producer, kind):
    ### BEGIN SOLUTION
    appended = kind in ("lost reply", "crash after")
    sent_again = producer == "retry"
    return int(appended) + int(sent_again)
    ### END SOLUTION


counting = gap("03-copies", copies)
counting
