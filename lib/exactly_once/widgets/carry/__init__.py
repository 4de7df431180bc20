"""Two controls: one downloads a learner's work as a file, one brings such a file back."""
