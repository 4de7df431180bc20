"""Tests of the set-up: the commands of make, the Java, the environment check, the data."""
