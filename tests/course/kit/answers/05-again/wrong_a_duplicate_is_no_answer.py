from exactly_once.errors import CourseError

REASON = "One reply is lost"


def answer(node, sent):
    missing = []
    for record in sent:
        try:
            node.log.acknowledgement()
        except CourseError:
            missing.append(record)
    return missing
