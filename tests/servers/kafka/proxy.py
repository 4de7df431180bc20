"""A wire between a client and a broker that loses what a test says."""

import contextlib
import socket
import struct
import threading

from exactly_once.log.kafka.log import KafkaLog


class Proxy:
    """Passes requests on to a broker, and the answers back, but for the answer to the next `lost` request.

    `lost` is the key of a request in Kafka's protocol, such as 26 for EndTxn; its connection ends then.
    """

    def __init__(self, address):
        self.address, self.lost = address, None
        self.happened = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.here = self._listener.getsockname()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        with client, socket.create_connection(self.address) as broker, contextlib.suppress(OSError, EOFError):
            while True:
                request = _message(client)
                broker.sendall(request)
                answer = _message(broker)
                if struct.unpack_from(">h", request, 4)[0] == self.lost:
                    self.lost = None
                    self.happened.set()
                    return
                client.sendall(answer)

    def close(self):
        """Take no more connections."""
        self._listener.close()


def _message(end):
    found = b""
    while len(found) < 4 or len(found) < 4 + struct.unpack_from(">i", found)[0]:
        more = end.recv(1 << 16)
        if not more:
            raise EOFError
        found += more
    return found


class ProxiedLog(KafkaLog):
    """A log all of whose requests go by a proxy, whatever address the broker tells."""

    def __init__(self, where, proxy, **options):
        super().__init__(where, **options)
        self.proxy = proxy

    def _address(self, whom):
        return self.proxy.here
