"""A number for each event, by name, in no order."""

answer = {
    "p2.4": 7,
    "p3.6": 6,
    "p2.3": 6,
    "p3.5": 5,
    "p1.4": 4,
    "p3.4": 4,
    "p1.3": 3,
    "p3.3": 3,
    "p1.2": 2,
    "p2.2": 2,
    "p3.2": 2,
    "p3.1": 1,
    "p2.1": 1,
    "p1.1": 1,
}
