"""What is inside a task: the world of a life on an executor, the network's late requests, the run's folder, and
attempts: two tasks for one, where Spark has started a copy.
"""
