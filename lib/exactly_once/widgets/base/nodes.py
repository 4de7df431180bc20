"""The signs and colours of nodes in every widget; and numbers and lists in words."""

NODE_SIGNS = "●■▲◆★✚"
NODE_COLOURS = ("blue", "green", "purple", "amber")


def colour(node):
    """Return the name of a node's colour."""
    return NODE_COLOURS[node % len(NODE_COLOURS)]


def who(node):
    """Return a node's sign, in its colour."""
    return f'<i class="eo-node-sign" style="color:var(--eo-{colour(node)})">{NODE_SIGNS[node % len(NODE_SIGNS)]}</i>'


def plural(number, word):
    """Return a number with its word."""
    many = {"crash": "crashes", "reply": "replies", "switch": "switches"}
    last = word.rpartition(" ")[2]
    return f"{number} {word if number == 1 else word.removesuffix(last) + many.get(last, last + 's')}"


def listed(words):
    """Return words with commas, and an "and" before the last."""
    *most, last = [*words] or ["nothing"]
    return f"{', '.join(most)} and {last}" if most else last
