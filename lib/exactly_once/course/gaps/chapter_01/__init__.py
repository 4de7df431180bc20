"""The gaps of chapter 01; `runs` holds the runs on which the learner's clocks are tried."""
