"""What one crash does to the stream handler, predicted on plain lists, without the library, in at most 30 lines."""


def predict(order, point, item, hours, duration=24, threshold=4):
    """Predict a run over `hours`, the numbers of each hour, that dies once: at `point`, while `item` is handled."""
    outputs, counter, state, position, reached = live(order, point, item, hours, duration, threshold)
    right, expected, window, end, _ = live(order, None, None, hours, duration, threshold)
    names, values, right_values = [[hour for hour, _ in outputs], *([v for _, v in one] for one in (outputs, right))]
    same = (values, counter, sorted(state), position) == (right_values, expected, sorted(window), end)
    return {"duplicated": sorted({hour for hour in names if names.count(hour) > 1}), "reached": reached,
            "missing": [hour for hour, _ in right if hour not in names], "consistent": same,
            "wrong": sorted({one[0] for one in outputs if one not in right}), "expected_counter": expected,
            "doubled": sorted({one[0] for one in state if state.count(one) > window.count(one)}),
            "lacking": sorted({one[0] for one in window if one not in state}), "counter": counter}  # fmt: skip


def live(order, point, item, hours, duration, threshold):
    """Return outputs, counter, saved window, saved position, and whether the crash came."""
    outputs, counter, state, position, reached, window, hour = [], 0, [], 0, False, [], 0
    while (hour := hour + 1) <= len(hours):
        window = [one for one in window + [(hour, number) for number in hours[hour - 1]] if one[0] > hour - duration]
        for letter, write in zip("ABCDE", ("nothing", *order), strict=True):
            outputs += [(hour, sum(number for _, number in window) / len(window))] if write == "output" else []
            counter += write == "counter" and len(window) > threshold
            state, position = (window if write == "state" else state), (hour if write == "positions" else position)
            in_if = letter == "B" and order == ("output", "counter", "state", "positions")  # the article's own B
            if (letter, hour, reached) == (point, item, False) and (len(window) > threshold or not in_if):
                reached, window, hour = True, state, position
                break
    return outputs, counter, state, position, reached
