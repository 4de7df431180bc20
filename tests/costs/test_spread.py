"""Cases are compared within shuffled rounds, and the spread says what is sure."""

import random
from math import comb

from exactly_once import show
from exactly_once.costs import compare_costs

NOISE = "noise: the same once more"


def test_the_interval_holds_the_median_in_95_of_100_samples_and_is_the_shortest_that_does():
    for count in range(6, 40):
        values = iter([1.0, *(1.0 + place for place in range(count))])  # the first one warms up
        found = compare_costs({"base": lambda: 1.0, "other": lambda values=values: next(values)}, count)
        low, high = (int(value) - 1 for value in found.interval("other"))

        def covers(first, last, count=count):  # unless too many values fall on one side of the median
            return sum(comb(count, below) for below in range(first + 1, last + 1)) / 2**count

        assert low + high == count - 1
        assert covers(low, high) >= 0.95
        assert low + 1 >= high or covers(low + 1, high - 1) < 0.95


def jittered(seconds, seed):
    rng = random.Random(seed)
    return lambda: seconds * rng.lognormvariate(0, 0.1)


def test_a_case_that_takes_twice_as_long_is_told_apart_and_the_same_case_is_not():
    cases = {"base": jittered(1, 1), "same": jittered(1, 2), "twice": jittered(2, 3), "half": jittered(0.5, 4)}
    found = compare_costs(cases, 15)
    assert found.sure("twice")
    assert found.sure("half")
    assert 1.7 < found.median("twice") < 2.3
    assert not found.sure("same")
    assert not found.sure(NOISE)
    assert found.noise[0] <= 1 <= found.noise[1]


def test_ratios_are_of_one_round_so_what_slows_a_whole_round_does_not_count():
    load = [1.0]
    calls = []

    def case(name, seconds):
        def run():
            calls.append(name)
            if len(calls) > 2 and (len(calls) - 2) % 3 == 0:  # after the two of the warm-up, three in each round
                load[0] *= 3
                return seconds * load[0] / 3
            return seconds * load[0]

        return run

    found = compare_costs({"one": case("one", 1), "two": case("two", 2)}, 8, "one")
    assert found.interval("two") == (2, 2)
    assert found.interval(NOISE) == (1, 1)
    rounds = [calls[first : first + 3] for first in range(2, len(calls), 3)]
    assert all(sorted(names) == ["one", "one", "two"] for names in rounds)
    assert len(rounds) == 8
    assert len({tuple(names) for names in rounds}) > 1


def test_the_figure_says_what_the_table_says_and_draws_the_unsure_otherwise():
    found = compare_costs({"base": jittered(1, 1), "same": jittered(1, 2), "twice": jittered(2, 3)}, 15)
    rows = found.table["differs for sure"]
    assert list(rows) == ["it is the base", "", "no: within the noise", "yes"]
    figure = show.costs(found)
    said = dict(zip(figure.layout.yaxis.ticktext, [one.text for one in figure.layout.annotations], strict=True))
    assert list(said) == list(rows.index[1:])
    assert [name for name, words in said.items() if "not told apart from noise" in words] == ["same"]
    sure, unsure = figure.data
    assert [words.partition(":")[0] for words in sure.text] == ["twice"]
    assert list(unsure.x) == [found.median(name) for name in (NOISE, "same")]
    assert "base" in found._repr_html_()
    assert "twice" in repr(found)
