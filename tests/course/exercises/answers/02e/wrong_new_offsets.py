"""Numbers what remains anew, without gaps."""

REASON = "it gives none another offset"


def answer(records, before):
    last = {key: offset for offset, key, _ in records if offset < before}
    kept = [(key, value) for offset, key, value in records if offset >= before or last[key] == offset]
    return [(number, key, value) for number, (key, value) in enumerate(kept)]
