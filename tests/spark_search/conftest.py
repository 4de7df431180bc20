"""The same cluster as for the tests of `spark`: two executors, warm, under a lease of its own."""

from tests.spark.conftest import own_lease, spark  # noqa: F401 - fixtures
