def answer(entries, aborted):
    out, gone, todo = [], {}, list(aborted)
    for offset, producer, kind, value in entries:
        for pair in [pair for pair in todo if pair[1] <= offset]:
            gone[pair[0]] = True
            todo.remove(pair)
        if kind != "record":
            gone[producer] = False
        elif not gone.get(producer):
            out.append(value)
    return out
