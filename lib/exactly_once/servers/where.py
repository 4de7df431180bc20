"""The address of a cluster of Kafka or etcd, with the name and the password to log in with."""

import logging
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

from ..errors import BadInput

USER = "course"
LOGIN = 'org.apache.kafka.common.security.plain.PlainLoginModule required username="{}" password="{}"'  # JAAS
SILENT = logging.Logger("librdkafka", logging.CRITICAL + 1)  # of no other logger's family


def _raised_elsewhere(_: object) -> None:
    pass


@dataclass(frozen=True)
class Where:
    """Where a cluster is: `servers` such as "127.0.0.1:9092,127.0.0.1:9093"; without a `user` there is no login."""

    servers: str
    user: str | None = None
    password: str | None = field(default=None, repr=False)

    @classmethod
    def parse(cls, url: str, scheme: str = "kafka") -> "Where":
        """Return what a URL says: kafka://host:port, or kafka://user:password@host:port,host:port (SASL, PLAIN).

        Those of etcd differ in the `scheme`. In place of the password `?passfile=` may name a file. Raises `BadInput`
        for another text.
        """
        found = urlsplit(url) if isinstance(url, str) else None
        login, _, servers = found.netloc.rpartition("@") if found else ("", "", "")
        hosts = [one.rpartition(":") for one in servers.split(",")]
        if found is None or found.scheme != scheme or not all(host and port.isdigit() for host, _, port in hosts):
            raise BadInput(
                f"A cluster of {scheme} is named by a URL such as {scheme}://127.0.0.1:9092 or "
                f"{scheme}://name:password@host:9092,host:9092."
            )
        user, _, password = login.partition(":")
        for file in parse_qs(found.query).get("passfile", []):
            password = quote(Path(file).read_text().strip())
        return cls(servers, unquote(user) or None, unquote(password) or None)

    @property
    def hosts(self) -> list[tuple[str, int]]:
        """The servers as (host, port)."""
        found = (one.rpartition(":") for one in self.servers.split(","))
        return [(host, int(port)) for host, _, port in found]

    @property
    def javas(self) -> dict[str, str]:
        """The settings with which Java's clients and tools connect."""
        login = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN",
                 "sasl.jaas.config": f"{LOGIN.format(self.user, self.password)};"}  # fmt: skip
        return {"bootstrap.servers": self.servers, **(login if self.user else {})}

    def settings(self, **more: Any) -> dict[str, Any]:
        """Return the settings with which confluent-kafka connects, and `more` of them, written with _ for a dot."""
        login = {
            "security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN", "sasl.username": self.user,
            "sasl.password": self.password,
        }  # fmt: skip
        return {
            "bootstrap.servers": self.servers,
            "reconnect.backoff.ms": 20,  # a broker that starts again is found soon
            "reconnect.backoff.max.ms": 200,
            "log_level": 0,
            "logger": SILENT,  # a fatal error is printed at any level, though the call raises it, too
            "error_cb": _raised_elsewhere,  # without it librdkafka writes to the screen what its calls raise
            **(login if self.user else {}),
            **{name.replace("_", "."): value for name, value in more.items()},
        }
