"""Answers to the exercise 10d."""

from tests.course.answers import Answers

given = """
    def join(state, inputs):
        state, complete = state or {}, []
        for side, one in enumerate(inputs):
            if one is None:
                continue
            order, what = one
            if order in state:
                half = [state.pop(order)[1], what]
                complete.append([order, *(half if side else half[::-1])])
            else:
                state[order] = [side, what]
        return state, [sorted(complete) or None]


    def distinct(state, inputs):
        seen, [order] = state or [], inputs
        return (seen, []) if order in seen else ([*seen, order], [order])


    def top(state, inputs):
        best = sorted((state or []) + inputs)[-2:][::-1]
        return best, [None if best == state else best]
"""
answers = Answers("10d", given)

answers.right("a set as text").code("""
    import bisect


    def distinct(state, inputs):
        seen = dict.fromkeys(state or [])
        new = [order for order in inputs if order not in seen]
        return sorted({**seen, **dict.fromkeys(inputs)}), new or [None]


    def top(state, inputs):
        best = [-number for number in state or []]
        bisect.insort(best, -inputs[0])
        best = [-number for number in best[:2]]
        return best, [best] if best != state else []


    answer = {"distinct": distinct, "top": top, "join": join}
""")

answers.right("one dictionary").code("""
    answer = {"distinct": distinct, "top": top, "join": join}
""")

# Plausible: one order is complete with each step, most of the time.
answers.plausible("one a step", of="no price is no payment", reason="join: for [c, 5] and [a, shipment]").diff("""
    -    both = [order for order in sorted(sent) if paid.get(order)]
    -    return (paid, sent), [[[order, paid.pop(order), sent.pop(order)] for order in both] or None]
    +    for order in sorted(paid.keys() & sent.keys()):
    +        return (paid, sent), [[[order, paid.pop(order), sent.pop(order)]]]
    +    return (paid, sent), [None]
""")

# Plausible: inputs that come together are joined.
answers.plausible("join of one step", reason="join: for nothing and [a, shipment] after [a, 5] and nothing").code("""
    def join(state, inputs):
        paid, sent = state or ({}, {})
        payment, shipment = inputs
        if payment is not None:
            paid[payment[0]] = payment[1]
        if shipment is not None:
            sent[shipment[0]] = shipment[1]
        if payment is not None and shipment is not None and payment[0] in sent:
            return (paid, sent), [[[payment[0], paid.pop(payment[0]), sent.pop(payment[0])]]]
        return (paid, sent), [None]


    answer = {"distinct": distinct, "top": top, "join": join}
""")

# Plausible: two equal orders in a row are told.
answers.plausible("only the last", reason="distinct: for tea after tea, milk it sends tea; right is nothing").code("""
    def distinct(state, inputs):
        return inputs[0], [None if inputs[0] == state else inputs[0]]


    answer = {"distinct": distinct, "top": top, "join": join}
""")

# Plausible: right while numbers grow.
answers.plausible(
    "sends what has not changed", reason="top: for 1 after 5, 3 it sends [5, 3]; right is nothing"
).code("""
    def top(state, inputs):
        best = sorted([*(state or []), *inputs], reverse=True)[:2]
        return best, [best]


    answer = {"distinct": distinct, "top": top, "join": join}
""")

answers.wrong(
    "begins with zero",
    ("state or []", "state or [0, 0]"),
    (", [best]", ", [None if best == state else best]"),
    of="sends what has not changed",
    reason="top: for 5 it sends [5, 0]; right is [5]",
)

answers.wrong("a set", reason="which no store keeps").code("""
    def distinct(state, inputs):
        seen, [order] = state or set(), inputs
        return seen | {order}, [None if order in seen else order]


    answer = {"distinct": distinct, "top": top, "join": join}
""")

answers.wrong("endless", reason="The code was stopped after 5 seconds").code("""
    def top(state, inputs):
        while True:
            pass


    answer = {"distinct": distinct, "top": top, "join": join}
""")

answers.wrong("expects both", reason="join: it fails with TypeError").code("""
    def join(state, inputs):
        paid, sent = state or ({}, {})
        (order, price), (shipment, what) = inputs
        paid[order], sent[shipment] = price, what
        both = sorted(paid.keys() & sent.keys())
        return (paid, sent), [[[one, paid.pop(one), sent.pop(one)] for one in both] or None]


    answer = {"distinct": distinct, "top": top, "join": join}
""")

answers.wrong("grows", reason="and it grows with each of them").code("""
    def join(state, inputs):
        paid, sent, done = state or ({}, {}, [])
        for side, one in zip((paid, sent), inputs, strict=False):
            if one is not None:
                side[one[0]] = one[1]
        both = [order for order in sorted(paid.keys() & sent.keys()) if order not in done]
        return (paid, sent, [*done, *both]), [[[order, paid[order], sent[order]] for order in both] or None]


    answer = {"distinct": distinct, "top": top, "join": join}
""")

answers.wrong(
    "no price is no payment", reason="join: for nothing and [a, shipment] after [a, 0] and nothing it sends nothing"
).code("""
    def join(state, inputs):
        paid, sent = state or ({}, {})
        for side, one in zip((paid, sent), inputs, strict=False):
            if one is not None:
                side[one[0]] = one[1]
        both = [order for order in sorted(sent) if paid.get(order)]
        return (paid, sent), [[[order, paid.pop(order), sent.pop(order)] for order in both] or None]


    answer = {"distinct": distinct, "top": top, "join": join}
""")

answers.wrong("remembers itself", reason="distinct: called twice with the same").code("""
    seen = []


    def distinct(state, inputs):
        [order] = inputs
        if order in seen:
            return state, [None]
        seen.append(order)
        return state, [order]


    answer = {"distinct": distinct, "top": top, "join": join}
""")
