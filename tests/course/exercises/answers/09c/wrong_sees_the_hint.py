"""P begins when the hint has moved."""

REASON = "it read the hint after it was moved"
answer = "QQQRRRPPP"
