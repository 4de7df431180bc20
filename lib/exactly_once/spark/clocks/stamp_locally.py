"""Lamport stamps of a log by one process, event for event by the rules: `stamping` must agree with them."""

from array import array

import numpy
import pandas

from ...errors import BadInput

COLUMNS = ["process", "position", "kind", "message"]


def stamp_here(log):
    """Return the Lamport stamps of a log's events as a pandas Series with the log's index.

    `log` is a pandas DataFrame with the columns that `stamp` takes. Each process goes on until it must wait for a
    message, and again when that was sent. Raises `BadInput` for a receive without a send, and for a cycle.
    Source: Lamport, CACM 21(7), 1978, rules IR1 and IR2.
    """
    if not isinstance(log, pandas.DataFrame) or not set(COLUMNS) <= set(log.columns):
        raise BadInput(f"The log is {type(log).__name__}; give a pandas DataFrame with {', '.join(COLUMNS)}.")
    order = numpy.lexsort((log["position"], log["process"]))
    process = log["process"].to_numpy()[order]
    kinds = log["kind"].to_numpy()[order]
    sends, receives = bytes(kinds == "send"), bytes(kinds == "receive")
    messages = memoryview(pandas.to_numeric(log["message"]).fillna(-1).to_numpy(dtype=numpy.int64)[order])
    first = numpy.flatnonzero(numpy.r_[True, process[1:] != process[:-1]][: len(process)])
    ends = [*first[1:].tolist(), len(process)]
    at, times = first.tolist(), [0] * len(first)
    stamps, sent, waiting, ready = array("q", bytes(8 * len(process))), {}, {}, list(range(len(first)))[::-1]
    while ready:
        line = ready.pop()
        time = times[line]
        for row in range(at[line], ends[line]):
            time += 1
            if receives[row]:
                if messages[row] not in sent:
                    waiting[messages[row]], at[line], times[line] = line, row, time - 1
                    break
                time = max(time, sent.pop(messages[row]) + 1)
            elif sends[row]:
                sent[messages[row]] = time
                if messages[row] in waiting:
                    ready.append(waiting.pop(messages[row]))
            stamps[row] = time
    if waiting:
        raise BadInput(
            f"Message {next(iter(waiting))} is waited for in vain: it is never sent, or only after its own effect."
        )
    found = numpy.empty(len(process), numpy.int64)
    found[order] = stamps
    return pandas.Series(found, index=log.index, name="stamp")
