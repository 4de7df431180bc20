"""A sink without transactions: one file holds output and position, and an atomic rename puts it in its place.

A file is written piece by piece, and a reader meanwhile finds a part of it. So the next state of the file is written
beside it, and renamed when it is whole: rename(2), in Python `os.replace`, replaces a file in one go. The next
incarnation writes anew the temporary file that a dead one left. Twins that are wrong: `in_place`, without the rename,
and `two_files`, with the position in a file of its own.

A rename is no compare-and-swap: an incarnation that was only asleep renames, too. It needs a single writer, or a
fence.
"""

from ...node.program import deployed_with

SINK, DRAFT, POSITIONS = "averages", "averages.new", "positions"  # the names of files


def in_place(node):
    """Write each hour's average into the file that has the positions, too, without the rename."""
    files = node.store("files")
    positions, *lines = files.read(SINK)[1] or [node.start]
    while node.running(positions):
        items, positions = node.read(positions)
        node.crash_point("A")
        lines.append(line_of(items))
        write_file(node, files, SINK, [positions, *lines])
        node.crash_point("C")


@deployed_with(None, in_place, protocol=None, own=(("files", DRAFT),))
def file_sink(node):
    """Write each hour's average into the file that has the positions, too; replace the file in one go."""
    files = node.store("files")
    positions, *lines = files.read(SINK)[1] or [node.start]
    while node.running(positions):
        items, positions = node.read(positions)
        node.crash_point("A")
        lines.append(line_of(items))
        write_file(node, files, DRAFT, [positions, *lines])
        node.crash_point("C")
        files.rename(DRAFT, SINK)
        node.crash_point("D")


def two_files(node):
    """Replace a file of averages in one go, and then one of positions."""
    files = node.store("files")
    lines, (positions,) = files.read(SINK)[1] or [], files.read(POSITIONS)[1] or [node.start]
    while node.running(positions):
        items, positions = node.read(positions)
        node.crash_point("A")
        lines.append(line_of(items))
        write_file(node, files, DRAFT, lines)
        files.rename(DRAFT, SINK)
        node.crash_point("C")
        files.write(DRAFT, [positions])
        files.rename(DRAFT, POSITIONS)
        node.crash_point("D")


def line_of(items):
    """Return the line of an hour: which one it is, and the average of its readings."""
    return [items[0].hour, sum(item.value for item in items) / len(items)]


def write_file(node, files, name, lines):
    """Write a file as file systems do, piece by piece: some of its lines are there before the others."""
    files.write(name, lines[: (len(lines) + 1) // 2])
    node.crash_point("B")
    files.write(name, lines)
