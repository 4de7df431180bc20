"""Names the lines by their troubles."""

TROUBLES = {
    "nothing": ["position", "markers", "stable"],
    "death": ["waiting"],
    "pause": ["new life"],
    "server": ["prepare"],
    "late": ["new transaction"],
    "none": ["asking"],
}

answer = {line: trouble for trouble, lines in TROUBLES.items() for line in lines}
