from exactly_once.course.kit import gap


def copies(retry, kind):
    ### BEGIN SOLUTION
    appended = kind in ("lost reply", "crash after")
    sent_again = retry == "retry"
    return int(appended) + int(sent_again)
    ### END SOLUTION


counting = gap("03-copies", copies)
counting
