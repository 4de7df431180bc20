"""A server for the tests of the life cycle: it keeps a file with what it is told, and a child of its own."""

import socket
import subprocess
import sys
from pathlib import Path


def main(port, folder):
    """Answer each connection with all lines that have ever come."""
    kept = Path(folder) / "lines"
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", folder])
    with socket.create_server(("127.0.0.1", int(port))) as listening:
        print("listening", child.pid, flush=True)
        while True:
            connection, _ = listening.accept()
            with connection, kept.open("ab+") as file:
                file.write(connection.recv(1000))
                file.seek(0)
                connection.sendall(file.read())


if __name__ == "__main__":
    main(*sys.argv[1:])
