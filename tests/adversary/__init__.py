"""The verdict, its sentences, and mutations of its rules."""
