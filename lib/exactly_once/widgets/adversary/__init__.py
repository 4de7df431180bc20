"""The adversary: the learner is the scheduler, and tries to break a handler."""
