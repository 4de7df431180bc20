def answer(node, stage):
    _, state, positions, messages = stage
    if not messages:
        return ["HANDLING", state, positions]

    cells, places = node.store("queues"), []
    for number, (queue, _) in enumerate(messages):
        index = 0
        while cells.read(f"{queue}.{index}")[0] or (queue, index) in zip([one for one, _ in messages], places[:number]):
            index += 1
        places.append(index)
    return ["WRITING", state, positions, messages, places]
