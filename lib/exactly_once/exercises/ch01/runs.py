"""Runs for the exercises on clocks: one to work on by hand, small ones to try a rule on, and stamps by any rule."""

from ...clocks import Event, History, random_history


def run_of(text):
    """Return the history of a text of events, one a line or divided by commas, such as "a send m, b receive m"."""
    return History(Event(*line.split()) for line in text.replace(",", "\n").splitlines() if line.strip())


BY_HAND = run_of(
    """p1 local, p2 local, p3 local, p3 local, p2 send m1, p1 send m2, p3 local, p1 receive m1, p3 receive m2,
    p1 send m3, p3 send m4, p2 receive m4, p3 receive m3, p2 local"""
)


def stamps_by(history, receive):
    """Return the stamps, by place, that a receive rule gives: a function of the clock and of what the message
    carries.

    Local events and sends add 1, as they should.
    """
    stamps = [0] * len(history)
    for place in history.causal_order:
        before = history.previous[place]
        clock = 0 if before is None else stamps[before]
        carried = [stamps[send] for send in history.senders[place]]
        stamps[place] = receive(clock, carried[0]) if carried else clock + 1
    return stamps


def small_runs(count=60):
    """Return runs of one event and more, the smallest first; no two alike."""
    runs = {}
    for seed in range(6 * count):
        run = random_history(1 + seed % 4, 1 + seed // 18, seed, messages=0.9)
        runs.setdefault(tuple(run), run)
    return sorted(runs.values(), key=lambda run: (len(run), len(run.arrows)))[:count]
