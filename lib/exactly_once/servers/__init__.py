"""Real servers: PostgreSQL and etcd, started when they are asked for, and the stores over them.

`process` is the life of a server that the course starts for itself, and `guard` the process that ends it with its
kernel.
"""
