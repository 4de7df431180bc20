def answer(batches, first, last):
    return {(one, other): offset for one, other, offset in batches[-5:]}.get((first, last))
