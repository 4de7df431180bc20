"""Asks for each record whether a later one of its key is in the part that is cleaned."""


def answer(records, before):
    return [
        [offset, key, value]
        for offset, key, value in records
        if offset >= before or not any(offset < later < before and same == key for later, same, _ in records)
    ]
