"""The transfer lab: movers and an auditor share a bank, and the learner says who takes the next step."""
