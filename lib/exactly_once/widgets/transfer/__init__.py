"""The transfer lab: movers and an auditor share a bank, and the learner chooses the next step."""
