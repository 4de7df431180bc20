"""The ladder: every strategy under every kind of fault, part by part, as the learner proves it."""
