answer = [["state", "counter", "positions", "output"], "B"]
