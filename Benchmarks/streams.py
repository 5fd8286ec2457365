#!/usr/bin/env python3
"""Streams of server-sent events: delivery with stalled subscribers, memory of idle streams, and posts with subscribers.

The subscribers of the public stream have many addresses of 127.0.0.0/8 and run in a process of their own
(support/stream_readers.py). First, posts are sent at a fixed rate while some subscribers never read. Then come idle
streams, and then wrk, which posts as fast as it can, in turns without subscribers, with subscribers that the posts do
not concern, and with subscribers that receive every post. Results go to standard output and, after a whole run, into
RESULTS.md under the heading "Streams".
"""

import sys

sys.dont_write_bytecode = True

import argparse
import contextlib
import datetime
import http.client
import os
import pathlib
import re
import resource
import statistics
import subprocess
import time

from support.machine import BenchmarkError, cores, end_within, require, say, version, work_folder
from support.report import put_section, table
from support.servers import Feedserver
from support.subscribers import Client, Streams
from support.usage import memory

HERE = pathlib.Path(__file__).resolve().parent
PUBLIC = "/api/v1/streaming/public"
#: A stream that no post of the benchmark belongs to.
QUIET = "/api/v1/streaming/hashtag?tag=nothing"
CONNECTIONS = 32
#: Seconds, so that the comment that idle streams receive every 15 seconds is part of the measured memory.
SETTLE = 20
#: What a subscriber may have waiting in the server and in the kernel, as Docs/limits.md states.
BUFFER = "256 KiB or 1,024 events in the server, beyond 64 KiB in its channel and as much in the kernel"


# Delivery


def send_posts(client, given):
    """Posts at a fixed rate: the times of each and, for each second, how many had been sent and how many subscribers
    had been dropped."""
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
        client.wait_until_quiet()
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
        self.rates, self.open, self.reopened, self.received, self.shares = [], [], [], [], []

    def measure(self, given, server, client):
        streams = Streams(server, self.path, given.subscribers, "--discard") if self.path else None
        with streams or contextlib.nullcontext():
            before = streams.ask() if streams else None
            self.rates.append(wrk(server, given.turn))
            self.open.append(client.streams)
            after = streams.ask() if streams else None
        self.reopened.append(after["reopened"] if after else 0)
        received = (after["counted"] - before["counted"]) / given.turn if after else 0
        self.received.append(received)
        self.shares.append(received / (self.rates[-1] * given.subscribers))
        client.wait_until_quiet()

    def row(self, name, base):
        rate = statistics.median(self.rates)
        has_events = self.path == PUBLIC
        return [name, f"{rate:,.0f}", f"{rate / statistics.median(base.rates):.2f}", f"{min(self.rates):,.0f}",
                f"{max(self.rates):,.0f}", f"{statistics.median(self.received):,.0f}",
                f"{100 * statistics.median(self.shares):.1f} %" if has_events else "–",
                f"{statistics.median(self.open):,.0f}", f"{statistics.median(self.reopened):,.0f}"]


def wrk(server, seconds):
    """Posts per second."""
    done = subprocess.run(
        ["wrk", "-t", "1", "-c", str(CONNECTIONS), "-d", f"{seconds}s", "-s", str(HERE / "support" / "post.lua"),
         server.address + "/api/v1/statuses"],
        env=os.environ | {"TOKEN": server.token}, stdout=subprocess.PIPE, text=True)
    found = re.search(r"Requests/sec:\s+([\d.]+)", done.stdout)
    if done.returncode != 0 or not found or "Non-2xx" in done.stdout:
        raise BenchmarkError("wrk: " + done.stdout)
    return float(found.group(1))


def measure_posts(given, server):
    count = f"{given.subscribers:,} subscribers"
    found = {"no subscribers": Posts(None), f"{count} of a hashtag in no post": Posts(QUIET),
             f"{count} of the public stream": Posts(PUBLIC)}
    with Client(server) as client:
        wrk(server, given.turn)
        client.wait_until_quiet()
        for number in range(given.rounds):
            for name, posts in found.items():
                say(f"round {number + 1}: {name}")
                posts.measure(given, server, client)
    return found


def posts_table(found):
    base = found["no subscribers"]
    head = ["posts", "posts/s", "ratio (aim 0.7)", "least", "most", "events/s received", "share of the events",
            "streams at the end", "reopened"]
    return table(head, [posts.row(name, base) for name, posts in found.items()])


# All


def raise_open_files(given):
    """The server uses half of the files that it may open for connections. If that is too few, there are fewer idle
    streams."""
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
        raise BenchmarkError(f"ulimit -n {limit} is too low for {given.subscribers} subscribers")


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
        f"second for {given.seconds} s on one connection, {delivery['event_bytes']:,.0f} bytes per event. A subscriber "
        f"is dropped when more waits for it than {BUFFER}; the metrics are read once a second:\n\n"
        + delivery_table(given, delivery) +
        f"\n\nIdle streams of a new server, {SETTLE} s after the last one was opened, and after all were closed:\n\n"
        + idle_table(idle) +
        f"\n\nwrk posts on {CONNECTIONS} connections, {given.rounds} rounds of {given.turn} s in turns, medians of the "
        "rounds. Subscribers whose stream ends open a new one after 0.1 s; what has not arrived when wrk ends is not "
        "counted as received. Subscribers, wrk and the server share the processors:\n\n" + posts_table(posts))
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
    options.add_argument("--turn", type=int, default=5, help="seconds of each of them")
    options.add_argument("--work", default="/tmp", help="a folder for temporary files")
    options.add_argument("--dry", action="store_true", help="do not write RESULTS.md")
    given = options.parse_args()
    given.server = str(pathlib.Path(given.server).resolve())
    try:
        counts = (given.rate, given.seconds, given.idle, given.rounds, given.turn)
        if not 0 <= given.stalled < given.subscribers or min(counts) < 1:
            raise BenchmarkError("at least one subscriber must read, and the other numbers must be positive")
        require({"wrk": "wrk"})
        raise_open_files(given)
        end_within(900 + 2 * given.seconds + given.rounds * 3 * (given.turn + 120))
        report(given, *run(given))
    except KeyboardInterrupt:
        sys.exit(130)
    except (BenchmarkError, OSError, http.client.HTTPException, subprocess.SubprocessError) as error:
        sys.exit(f"streams: {error}")


if __name__ == "__main__":
    main()
