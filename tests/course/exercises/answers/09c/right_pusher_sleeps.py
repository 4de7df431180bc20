"""P reads the hint and falls asleep; Q fills the cell, and retention empties it."""

answer = "PQQQRRR"
