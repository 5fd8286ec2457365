#!/usr/bin/env python3
"""Streams of server-sent events: delivery with stalled subscribers, memory of idle streams, and posts with subscribers.

The subscribers of the public stream have many addresses of 127.0.0.0/8 and run in a process of their own
(support/stream_readers.py). First, posts are sent at a fixed rate while some subscribers never read. Then come idle streams,
and then wrk, which posts as fast as it can, in turns without subscribers, with subscribers that the posts do not concern, and
with subscribers that receive every post. Results go to standard output and, after a whole run, into RESULTS.md under the
heading "Streams".
"""

import sys

sys.dont_write_bytecode = True

import argparse
import contextlib
import datetime
import http.client
import json
import os
import pathlib
import re
import resource
import select
import statistics
import subprocess
import time

from support.machine import BenchmarkError, cores, end_within, require, say, version, work_folder
from support.report import put_section, table
from support.servers import Feedserver
from support.usage import memory

HERE = pathlib.Path(__file__).resolve().parent
PUBLIC = "/api/v1/streaming/public"
#: A stream that no post of the benchmark belongs to.
QUIET = "/api/v1/streaming/hashtag?tag=nothing"
CONNECTIONS = 32
TURN = 5
#: What idle streams receive, a comment every 15 seconds, belongs to their memory.
SETTLE = 20
#: What a subscriber may have waiting in the server and in the kernel, as SECURITY.md states.
BUFFER = "256 KiB or 1,024 events in the server, beyond 64 KiB in its channel and as much in the kernel"


class Streams:
    """Subscribers in a process of their own, which end with the `with` block."""

    _PROGRAM = HERE / "support" / "stream_readers.py"
    _OPEN_SECONDS = 120
    _ANSWER_SECONDS = 90

    def __init__(self, server, path, subscribers, *options):
        port = server.address.rpartition(":")[2]
        self._command = [sys.executable, "-B", str(self._PROGRAM), "--port", port, "--path", path, "--subscribers",
                         str(subscribers), *options]

    def __enter__(self):
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, process_group=0)
        try:
            self._answer(self._OPEN_SECONDS)
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *_):
        self._end()

    def ask(self, question=None):
        """What the subscribers have received, with their delays if the times of the posts are given."""
        self._process.stdin.write((json.dumps(question) if question else "").encode() + b"\n")
        self._process.stdin.flush()
        return self._answer(self._ANSWER_SECONDS)

    def _answer(self, seconds):
        ready, _, _ = select.select([self._process.stdout], [], [], seconds)
        line = self._process.stdout.readline() if ready else b""
        if not line:
            raise BenchmarkError("the subscribers do not answer")
        return json.loads(line)

    def _end(self):
        self._process.kill()
        self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()


class Client:
    """Requests on one connection to the server."""

    def __init__(self, server):
        self._connection = http.client.HTTPConnection(server.address.removeprefix("http://"), timeout=30)
        self._headers = {"Authorization": "Bearer " + server.token, "Content-Type": "application/x-www-form-urlencoded"}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._connection.close()

    def _ask(self, method, path, body=None):
        self._connection.request(method, path, body, self._headers)
        response = self._connection.getresponse()
        text = response.read()
        if response.status != 200:
            raise BenchmarkError(f"{method} {path}: {response.status}")
        return text.decode()

    def post(self, text):
        """The times before and after, in nanoseconds."""
        sent = time.monotonic_ns()
        self._ask("POST", "/api/v1/statuses", "status=" + text.replace(" ", "+"))
        return sent, time.monotonic_ns()

    def metric(self, name):
        """The value of a metric; 0 as long as there is none."""
        found = re.search("^" + re.escape(name) + r" (\S+)$", self._ask("GET", "/metrics"), re.MULTILINE)
        return int(float(found.group(1))) if found else 0

    @property
    def streams(self):
        return self.metric("feedserver_streams")

    @property
    def dropped(self):
        """The subscribers that the server has dropped because they did not read."""
        return self.metric('feedserver_streams_dropped_total{reason="slow"}')

    def wait_for(self, is_done, what, seconds=120):
        deadline = time.monotonic() + seconds
        while not is_done():
            if time.monotonic() > deadline:
                raise BenchmarkError(f"after {seconds} s, {what}")
            time.sleep(0.1)

    def wait_until_quiet(self):
        """Until the streams are closed and the server has reacted to all posts."""
        self.wait_for(lambda: self.streams == 0, "streams are still open")
        self.wait_for(lambda: self.metric("feedserver_change_log_lag") == 0, "the server is still behind")


# Delivery


def send_posts(client, given):
    """Posts at a fixed rate: the times of each, and how many had been sent when the first and last subscriber was dropped,
    looked up once a second."""
    times, drops = [], []
    begin = time.monotonic()
    for number in range(given.rate * given.seconds):
        time.sleep(max(0.0, begin + number / given.rate - time.monotonic()))
        times.append(client.post(f"streamed number {number} of a benchmark: " + "words and more words " * 5))
        if number % given.rate == given.rate - 1:
            drops.append((number + 1, client.dropped))
    return times, drops


def measure_delivery(given, server):
    with Client(server) as client:
        for _ in range(20):
            client.post("before the measurement")
        with Streams(server, PUBLIC, given.subscribers, "--stalled", str(given.stalled)) as streams:
            if client.streams != given.subscribers:
                raise BenchmarkError(f"{client.streams} streams are open instead of {given.subscribers}")
            times, drops = send_posts(client, given)
            result = streams.ask({"posts": times})
            # Readers that have been dropped are no stalled subscribers.
            result["dropped"] = client.dropped - len(result["ended"])
        client.wait_until_quiet()
    changes = [sent for sent, count in drops if count > 0]
    whole = [sent for sent, count in drops if count >= given.stalled]
    return result | {"first": changes[:1], "last": whole[:1], "times": times}


def delivery_table(given, found):
    live, posts = given.subscribers - given.stalled, len(found["times"])
    if not found["received"]:
        raise BenchmarkError("nothing was received")
    share = found["received"] / (live * posts)
    # Rounded down, so that a single missing event shows.
    rows = [
        ["events received by the readers", f"{found['received']:,} of {live * posts:,}"],
        ["share", f"{int(share * 100_000) / 1000:.3f} % (aim 100 %)"],
        ["events repeated or out of order", f"{found['wrong']:,}"],
        ["readers whose stream ended", f"{len(found['ended'])}"],
    ]
    for name, text in (("answered", "the response to the post"), ("sent", "sending the post")):
        delay = found[name]
        aim = " (aim 250)" if name == "answered" else ""
        rows += [[f"from {text}: median ms", f"{delay['median']:.1f}"], ["p99 ms", f"{delay['p99']:.1f}{aim}"],
                 ["worst ms", f"{delay['worst']:.1f}"]]
    rows += [["stalled subscribers dropped", f"{found['dropped']} of {given.stalled}"]]
    for key, text in (("first", "first"), ("last", "last")):
        size = [f"{count * found['event_bytes'] / 1024:,.0f}" for count in found[key]] or ["–"]
        rows += [[f"KiB of events sent until the {text} of them was dropped", size[0]]]
    return table([f"{given.subscribers:,} subscribers", ""], rows)


# Idle streams


def measure_idle(given, server):
    """RssAnon in bytes: without streams, with all of them, and after their end."""
    with Client(server) as client:
        client.wait_until_quiet()
        time.sleep(2)
        found = [("before", 0, memory(server.pid)[0])]
        with Streams(server, PUBLIC, given.idle) as _:
            opened = client.streams
            time.sleep(SETTLE)
            if client.streams != opened or opened != given.idle:
                raise BenchmarkError(f"{client.streams} idle streams are open instead of {given.idle}")
            found.append(("open", given.idle, memory(server.pid)[0]))
        client.wait_until_quiet()
        time.sleep(2)
        return [*found, ("after", 0, memory(server.pid)[0])]


def idle_table(found):
    base = found[0][2]
    rows = [[name, f"{count:,}", f"{size / 1e6:.1f}", f"{(size - base) / count / 1024:.1f}" if count else "–"]
            for name, count, size in found]
    return table(["idle streams", "open", "RssAnon in MB (aim 200)", "KiB per stream (aim 16)"], rows)


# Posts


class Posts:
    """The rounds with one kind of subscribers."""

    def __init__(self, path):
        self.path = path
        self.rates, self.open, self.reopened, self.received = [], [], [], []

    def measure(self, given, server, client):
        streams = Streams(server, self.path, given.subscribers, "--discard") if self.path else None
        with streams or contextlib.nullcontext():
            before = streams.ask() if streams else None
            self.rates.append(wrk(server))
            self.open.append(client.streams)
            after = streams.ask() if streams else None
        self.reopened.append(after["reopened"] if after else 0)
        self.received.append((after["bytes"] - before["bytes"]) / TURN / 1e6 if after else 0)
        client.wait_until_quiet()

    def row(self, name, base):
        rate = statistics.median(self.rates)
        return [name, f"{rate:,.0f}", f"{rate / statistics.median(base.rates):.2f}", f"{min(self.rates):,.0f}",
                f"{max(self.rates):,.0f}", f"{statistics.median(self.received):,.1f}",
                f"{statistics.median(self.open):,.0f}", f"{statistics.median(self.reopened):,.0f}"]


def wrk(server):
    """Posts per second."""
    done = subprocess.run(
        ["wrk", "-t", "1", "-c", str(CONNECTIONS), "-d", f"{TURN}s", "-s", str(HERE / "support" / "post.lua"),
         server.address + "/api/v1/statuses"], env=os.environ | {"TOKEN": server.token}, stdout=subprocess.PIPE, text=True)
    found = re.search(r"Requests/sec:\s+([\d.]+)", done.stdout)
    if done.returncode != 0 or not found or "Non-2xx" in done.stdout:
        raise BenchmarkError("wrk: " + done.stdout)
    return float(found.group(1))


def measure_posts(given, server):
    count = f"{given.subscribers:,} subscribers"
    found = {"no subscribers": Posts(None), f"{count} of a hashtag in no post": Posts(QUIET),
             f"{count} of the public stream": Posts(PUBLIC)}
    with Client(server) as client:
        wrk(server)
        client.wait_until_quiet()
        for number in range(given.rounds):
            for name, posts in found.items():
                say(f"round {number + 1}: {name}")
                posts.measure(given, server, client)
    return found


def posts_table(found):
    base = found["no subscribers"]
    head = ["posts", "posts/s", "ratio (aim 0.7)", "least", "most", "MB/s received", "streams at the end", "reopened"]
    return table(head, [posts.row(name, base) for name, posts in found.items()])


# All


def raise_open_files(given):
    """The server takes connections for half of the files that it may open. Fewer idle streams if there are not enough."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if limit < 65_536:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (65_536, 65_536))
    limit = min(resource.getrlimit(resource.RLIMIT_NOFILE)[1], 65_536)
    room = limit // 2 - 64 - 100
    if given.idle > room:
        say(f"only {room} idle streams, because a process may open {limit} files")
        given.idle = room
    if given.subscribers > room:
        raise BenchmarkError(f"{given.subscribers} subscribers need a higher limit of open files (ulimit -n) than {limit}")


def run(given):
    with work_folder(given.work, 1 << 30) as folder:
        with Feedserver(folder, given.server) as server:
            say(f"{given.rate * given.seconds} posts to {given.subscribers} subscribers")
            delivery = measure_delivery(given, server)
        # A new server, because memory that earlier measurements have left free would hide what the streams need.
        with Feedserver(idle_folder(folder), given.server) as server:
            with Client(server) as client:
                for number in range(20):
                    client.post(f"number {number}")
            say(f"{given.idle} idle streams")
            idle = measure_idle(given, server)
            posts = measure_posts(given, server)
    return delivery, idle, posts


def idle_folder(folder):
    folder = folder / "idle"
    folder.mkdir()
    return folder


def report(given, delivery, idle, posts):
    text = (
        f"{given.stalled:,} of {given.subscribers:,} subscribers of the public stream never read; {given.rate} posts a "
        f"second for {given.seconds} s on one connection, {delivery['event_bytes']:,.0f} bytes per event. A subscriber is "
        f"dropped when more waits for it than {BUFFER}; the metrics are read once a second:\n\n"
        + delivery_table(given, delivery) +
        f"\n\nOf a new server, {SETTLE} s after the last stream was opened, and after all were closed:\n\n"
        + idle_table(idle) +
        f"\n\nwrk posts on {CONNECTIONS} connections, {given.rounds} rounds of {TURN} s in turns, medians of the rounds. "
        "Subscribers whose stream ends open a new one after "
        "0.1 s; their process, wrk and the server share the processors:\n\n" + posts_table(posts))
    print(text)
    if given.dry:
        return
    intro = (
        f"{datetime.date.today()}, {cores()} cores; wrk {version('wrk', '-v')}; `python3 Benchmarks/streams.py`. ")
    put_section(HERE / "RESULTS.md", "Streams", intro + text, "Benchmarks")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--server", required=True, help="feedserver, a release build")
    options.add_argument("--subscribers", type=int, default=1000)
    options.add_argument("--stalled", type=int, default=100, help="how many of them never read")
    options.add_argument("--rate", type=int, default=10, help="posts a second")
    options.add_argument("--seconds", type=int, default=120, help="of posts at that rate")
    options.add_argument("--idle", type=int, default=10_000, help="idle streams")
    options.add_argument("--rounds", type=int, default=5, help="of posts as fast as possible")
    options.add_argument("--work", default="/tmp", help="a folder for temporary files")
    options.add_argument("--dry", action="store_true", help="do not write RESULTS.md")
    given = options.parse_args()
    given.server = str(pathlib.Path(given.server).resolve())
    try:
        if not 0 <= given.stalled < given.subscribers or min(given.rate, given.seconds, given.idle, given.rounds) < 1:
            raise BenchmarkError("at least one subscriber must read, and the other numbers must be positive")
        require({"wrk": "wrk"})
        raise_open_files(given)
        end_within(900 + 2 * given.seconds + given.rounds * 3 * 120)
        report(given, *run(given))
    except KeyboardInterrupt:
        sys.exit(130)
    except (BenchmarkError, OSError, http.client.HTTPException, subprocess.SubprocessError) as error:
        sys.exit(f"streams: {error}")


if __name__ == "__main__":
    main()
