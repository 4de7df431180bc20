"""Saves the offset of the last record that is done, not of the next one."""

REASON = "everything before 1 is finished. After a crash the record at offset 0"


def answer(began, handed_out, finished):
    for before, offset in zip([began, *handed_out], handed_out, strict=False):
        if offset not in finished:
            return before
    return handed_out[-1] if handed_out else began
