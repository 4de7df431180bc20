"""Takes the largest value of a key for the newest one."""

REASON = "and it is the last of key 'a'"


def answer(records, before):
    best = {}
    for offset, key, value in records:
        if offset < before and (key not in best or str(value) > str(best[key][1])):
            best[key] = (offset, value)
    return [record for record in records if record[0] >= before or best[record[1]][0] == record[0]]
