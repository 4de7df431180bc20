"""What exercises and gaps are made of: `kinds` has the kinds of items that there are.

The items themselves are in `exactly_once.chapters`, the texts in `solutions/`.
"""
