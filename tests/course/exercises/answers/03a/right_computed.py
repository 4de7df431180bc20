"""Has it computed by counting, from the plan alone."""

from exactly_once.delivery.prediction import predict
from exactly_once.faults import Fault, FaultPlan

sending = FaultPlan([Fault("output.push", 2, "lost reply"), Fault("output.push", 5, "lost request")])
receiving = FaultPlan([Fault("database.increment", 6, "crash after")])
answer = {}
for retry in ("retry", "give up"):
    for position in ("last", "first"):
        times = predict(sending, receiving, retry, position, 8, 3).times
        answer[retry, position] = {
            "lost": [number for number in range(1, 9) if number not in times],
            "doubled": [number for number, count in times.items() if count > 1],
        }
