"""The gaps of chapter 06."""
