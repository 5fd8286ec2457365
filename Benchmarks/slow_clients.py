#!/usr/bin/env python3
"""The latency of a healthy client while slowhttptest occupies the server with slow headers, slow bodies and slow reads.

The healthy client has an address of its own (127.0.0.2), opens a connection for each request and sends them at a fixed
rate. The quiet server and the attacks take turns. The p99 of each and its ratio to the quiet one go to standard output and,
after a whole run, into RESULTS.md under the heading "Slow clients".
"""

import sys

sys.dont_write_bytecode = True

import argparse
import contextlib
import datetime
import http.client
import pathlib
import statistics
import subprocess
import time

from support.machine import BenchmarkError, cores, end_within, require, say, version, work_folder
from support.report import put_section, table
from support.servers import Feedserver

HERE = pathlib.Path(__file__).resolve().parent
PATHS = ["/health", "/api/v1/timelines/public", "/"]
LARGE = 8 << 20
#: Seconds for the attack to open its connections before anything is measured.
RAMP = 4

#: The arguments of each attack, and the path that it requests.
ATTACKS = {
    "quiet": None,
    "slow headers": (["-H", "-i", "5", "-x", "24"], "/"),
    "slow bodies": (["-B", "-i", "5", "-s", "8192", "-x", "10", "-t", "POST"], "/oauth/token"),
    "slow reads": (["-X", "-w", "512", "-y", "1024", "-n", "5", "-z", "32", "-k", "1"], "/files/large.bin"),
}


class Healthy:
    """Sends requests at a fixed rate, each on its own connection."""

    def __init__(self, server, rate):
        self._host, self._port = server.address.removeprefix("http://").split(":")
        self._pause = 1 / rate

    def measure(self, seconds):
        """The milliseconds of each request, and the number of those that failed."""
        times, failed, count = [], 0, 0
        begin = time.perf_counter()
        while time.perf_counter() - begin < seconds:
            start = time.perf_counter()
            if not self._ask(PATHS[count % len(PATHS)]):
                failed += 1
            times.append((time.perf_counter() - start) * 1000)
            count += 1
            time.sleep(max(0.0, begin + count * self._pause - time.perf_counter()))
        return times, failed

    def _ask(self, path):
        connection = http.client.HTTPConnection(
            self._host, int(self._port), timeout=30, source_address=("127.0.0.2", 0))
        with contextlib.closing(connection):
            try:
                connection.request("GET", path, headers={"Connection": "close"})
                response = connection.getresponse()
                response.read()
                return response.status == 200
            except OSError:
                return False


@contextlib.contextmanager
def attack(server, name, connections, seconds):
    """Runs an attack during the `with` block."""
    if ATTACKS[name] is None:
        yield
        return
    arguments, path = ATTACKS[name]
    command = ["slowhttptest", "-c", str(connections), "-r", str(connections // 2), "-l", str(seconds + 2 * RAMP),
               "-p", "5", *arguments, "-u", server.address + path]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(RAMP)
        if process.poll() is not None:
            raise BenchmarkError("slowhttptest ended early: " + " ".join(command))
        yield
    finally:
        process.terminate()
        process.wait()


def store_large_file(server):
    """The file that the slow readers request."""
    host = server.address.removeprefix("http://")
    with contextlib.closing(http.client.HTTPConnection(host)) as connection:
        connection.request(
            "PUT", "/files/large.bin", body=bytes(LARGE), headers={"Authorization": "Bearer " + server.token})
        if connection.getresponse().status != 201:
            raise BenchmarkError("cannot store a file")


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


class Figures:
    """The results of all rounds of one attack."""

    def __init__(self):
        self.medians, self.p99s, self.worst, self.requests, self.failed = [], [], 0.0, 0, 0

    def add(self, times, failed):
        self.medians.append(statistics.median(times))
        self.p99s.append(percentile(times, 0.99))
        self.worst = max(self.worst, max(times))
        self.requests += len(times)
        self.failed += failed

    def row(self, name, quiet):
        p99 = statistics.median(self.p99s)
        return [name, f"{statistics.median(self.medians):.1f}", f"{p99:.1f}",
                f"{p99 / statistics.median(quiet.p99s):.2f}", f"{self.worst:.1f}", f"{self.requests:,}",
                str(self.failed)]


def run(given):
    found = {name: Figures() for name in ATTACKS}
    with work_folder(given.work, 1 << 30) as folder, Feedserver(folder, given.server) as server:
        store_large_file(server)
        healthy = Healthy(server, given.rate)
        healthy.measure(2)
        for number in range(given.rounds):
            for name, figures in found.items():
                say(f"round {number + 1}: {name}")
                with attack(server, name, given.connections, given.seconds):
                    figures.add(*healthy.measure(given.seconds))
                time.sleep(1)
    return found


def report(found, given):
    head = ["", "median ms", "p99 ms", "ratio of p99", "worst ms", "requests", "failed"]
    text = table(head, [figures.row(name, found["quiet"]) for name, figures in found.items()])
    print(text)
    if given.dry:
        return
    intro = (
        f"{datetime.date.today()}, {cores()} cores; slowhttptest {version('dpkg-query', '-W', 'slowhttptest')}; "
        f"`python3 Benchmarks/slow_clients.py`: {given.connections} slow connections of one address, a healthy client "
        f"of another one with {given.rate} requests a second, {given.rounds} rounds of {given.seconds} s in turns, "
        "medians of the rounds.")
    put_section(HERE / "RESULTS.md", "Slow clients", intro + "\n\n" + text, "Benchmarks")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--server", required=True, help="feedserver, a release build")
    options.add_argument("--connections", type=int, default=1000)
    options.add_argument("--rate", type=int, default=100, help="healthy requests a second")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--seconds", type=int, default=20)
    options.add_argument("--work", default="/tmp", help="a folder for temporary files")
    options.add_argument("--dry", action="store_true", help="do not write RESULTS.md")
    given = options.parse_args()
    try:
        require({"slowhttptest": "slowhttptest"})
        end_within(120 + len(ATTACKS) * given.rounds * (given.seconds + 3 * RAMP))
        report(run(given), given)
    except KeyboardInterrupt:
        sys.exit(130)
    except (BenchmarkError, OSError, subprocess.SubprocessError) as error:
        sys.exit(f"slow_clients: {error}")


if __name__ == "__main__":
    main()
