"""The exercises and gaps of chapter 14: what a guarantee costs, from a handler's counted operations."""
