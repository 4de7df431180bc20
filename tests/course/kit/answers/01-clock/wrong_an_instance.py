REASON = "give the class Clock itself"
answer = 5
