def answer(node, stage):
    _, state, positions, messages = stage
    if not messages:
        return ["HANDLING", state, positions]

    cells, places = node.store("queues"), []
    for queue, _ in messages:
        index = 0
        given = [place for (other, _), place in zip(messages, places, strict=False) if other == queue]
        while index in given or cells.read(f"{queue}.{index}")[0]:
            index += 1
        places.append(index)
    return ["WRITING", state, positions, messages, places]
