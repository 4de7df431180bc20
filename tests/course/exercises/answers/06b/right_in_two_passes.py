"""Labels each entry with its transaction first, and looks the labels up."""


def answer(log, high):
    number, label, fate = {}, {}, {}
    for offset, (kind, producer, _) in enumerate(log):
        if producer is None:
            continue
        label[offset] = number.setdefault(producer, (producer, offset))
        if kind != "data":
            fate[number.pop(producer)] = kind if offset < high else "open"
    undecided = [first for _, first in set(label.values()) if fate.get((_, first), "open") == "open"]
    stable = min([*undecided, high])
    shown = []
    for offset, (kind, _, value) in enumerate(log[:stable]):
        if kind == "data" and fate.get(label.get(offset), "commit") == "commit":
            shown.append(value)
    return stable, shown
