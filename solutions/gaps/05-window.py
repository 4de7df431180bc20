from exactly_once.course.kit import gap


def known(batches, first, last):
    ### BEGIN SOLUTION
    for known_first, known_last, offset in batches[-5:]:
        if (known_first, known_last) == (first, last):
            return offset
    return None
    ### END SOLUTION


window = gap("05-window", known)
window
