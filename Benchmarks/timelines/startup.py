"""How long a start takes: from exec to the end of the first response."""

import dataclasses
import http.client
import statistics
import time

from support.machine import BenchmarkError

#: Milliseconds.
GOAL = 150


@dataclasses.dataclass
class Startup:
    """In milliseconds."""

    times: list

    @property
    def median(self):
        return statistics.median(self.times)

    @property
    def text(self):
        judged = f"{self.median:.0f} ms" if self.median < GOAL else f"**{self.median:.0f} ms**"
        return (f"From exec to the end of the first response, a public timeline: {judged} (median of {len(self.times)} "
                f"starts, {min(self.times):.0f}–{max(self.times):.0f}; goal: less than {GOAL}). The file is in the page "
                "cache.")


def measure_startup(server, rounds):
    """Starts the server several times; the first start warms up the page cache."""
    times = []
    for _ in range(rounds + 1):
        start = time.perf_counter()
        with server:
            host, _, port = server.address.removeprefix("http://").rpartition(":")
            connection = http.client.HTTPConnection(host, int(port), timeout=30)
            connection.request("GET", "/api/v1/timelines/public")
            response = connection.getresponse()
            response.read()
            times.append((time.perf_counter() - start) * 1000)
            connection.close()
            if response.status != 200:
                raise BenchmarkError(f"the first response has the status {response.status}")
    return Startup(times[1:])
