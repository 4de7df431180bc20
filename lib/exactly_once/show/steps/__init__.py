"""A run step by step: the `order` of the moments, the stores' contents at each, and each moment as `text` and
`html`.
"""
