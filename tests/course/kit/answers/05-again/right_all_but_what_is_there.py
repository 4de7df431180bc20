from exactly_once.errors import CourseError
from exactly_once.log.errors import DuplicateSequence


def answer(node, sent):
    missing = list(sent)
    for record in sent:
        try:
            node.log.acknowledgement()
            missing.remove(record)
        except DuplicateSequence:
            missing.remove(record)
        except CourseError:
            continue
    return missing
