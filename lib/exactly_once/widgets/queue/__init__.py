"""The queue's stepper: pushers at a lock-free queue, one step at a time; the learner stops or kills them at any
step.
"""
