"""The commands of make, the Java, the environment check, the data."""
