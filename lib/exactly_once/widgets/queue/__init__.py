"""The queue's stepper: pushers at a lock-free queue, one step at a time, with sleep and death wherever one likes."""
