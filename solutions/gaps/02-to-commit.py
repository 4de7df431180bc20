from exactly_once.course.kit import gap


def to_commit(done):
    ### BEGIN SOLUTION
    return {record.partition: record.offset + 1 for record in done}
    ### END SOLUTION


filled = gap("02-to-commit", to_commit)
filled
