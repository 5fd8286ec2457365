#!/usr/bin/env python3
"""Subscribers of one stream of server-sent events, all in one process, which epoll wakes.

Prints a line of JSON once every stream is open. For each line on standard input it prints another line of results, and
it ends with its standard input. The line {"posts": [[sent, answered], ...]} holds the times of all posts in nanoseconds
of the monotonic clock, which is the same in all processes; post N contains the text MARK followed by N. The results
then come when all readers have received all posts, or after --patience seconds. An empty line asks for the counts only.

With --discard, events are only counted, so that the process takes as little as possible of the processors that it
shares with the server, and a subscriber whose stream has ended opens a new one.
"""

import argparse
import array
import json
import os
import resource
import selectors
import socket
import sys
import time

MARK = b"streamed number "
#: So few that the server takes them from one address even when most of its connections are in use.
PER_ADDRESS = 16
REOPEN_SECONDS = 0.1


class Subscriber:
    """One stream."""

    def __init__(self, number, reads):
        self.address = f"127.1.{number // PER_ADDRESS // 250}.{number // PER_ADDRESS % 250 + 1}"
        self.reads = reads
        self.socket = None
        self.is_open = False
        #: What has been received of an event that is not complete yet.
        self.rest = b""
        #: The number of the next post.
        self.next = 0
        self.ended = None

    def connect(self, options):
        self.is_open, self.rest = False, b""
        self.socket = socket.create_connection(("127.0.0.1", options.port), 30, (self.address, 0))
        self.socket.sendall(
            f"GET {options.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n".encode())
        self.socket.setblocking(False)


class Readers:
    """All subscribers, and what they have received."""

    def __init__(self, options):
        self._options = options
        self._selector = selectors.DefaultSelector()
        self._all = [Subscriber(number, number >= options.stalled) for number in range(options.subscribers)]
        self._live = [subscriber for subscriber in self._all if subscriber.reads]
        self._buffer = bytearray(256 * 1024)
        self._command = b""
        self._numbers, self._times = array.array("I"), array.array("q")
        self._counted = self._event_bytes = self._wrong = self._reopened = 0
        #: Subscribers that open a new stream, and from when on.
        self._waiting = []

    def run(self):
        for subscriber in self._all:
            self._connect(subscriber)
        self._wait(30, lambda: all(subscriber.is_open for subscriber in self._all))
        missing = sum(not subscriber.is_open for subscriber in self._all)
        if missing:
            sys.exit(f"{missing} of {len(self._all)} streams were not opened")
        self._say({"open": len(self._all)})
        self._selector.register(sys.stdin.buffer, selectors.EVENT_READ)
        while True:
            line = self._next_command()
            if line is None:
                return
            posts = json.loads(line)["posts"] if line.strip() else None
            if posts:
                self._wait(self._options.patience, lambda: self._has_all(len(posts)))
            self._say(self._counts() | (self._delays(posts) if posts else {}))

    def _connect(self, subscriber):
        subscriber.connect(self._options)
        self._selector.register(subscriber.socket, selectors.EVENT_READ, subscriber)

    def _say(self, result):
        print(json.dumps(result), flush=True)

    def _has_all(self, count):
        return all(subscriber.next >= count or subscriber.ended for subscriber in self._live)

    def _wait(self, seconds, is_done):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not is_done():
            self._turn(0.2)

    def _next_command(self):
        """A line of standard input, or None at its end; events are received meanwhile."""
        while b"\n" not in self._command:
            if self._turn(None):
                part = os.read(sys.stdin.fileno(), 1 << 20)
                if not part:
                    return None
                self._command += part
        line, _, self._command = self._command.partition(b"\n")
        return line

    def _turn(self, timeout):
        """Receives what has arrived, and tells whether there is something on standard input."""
        while self._waiting and self._waiting[0][0] <= time.monotonic():
            self._connect(self._waiting.pop(0)[1])
        has_command = False
        for key, _ in self._selector.select(REOPEN_SECONDS if self._waiting else timeout):
            if key.data is None:
                has_command = True
            else:
                self._receive(key.data)
        return has_command

    def _receive(self, subscriber):
        if not subscriber.is_open:
            return self._receive_head(subscriber)
        try:
            if self._options.discard:
                count = subscriber.socket.recv_into(self._buffer)
                # One that two parts share is missed.
                self._counted += self._buffer.count(b"event: update\n", 0, count)
            else:
                part = subscriber.socket.recv(65536)
                now, count = time.monotonic_ns(), len(part)
                self._parse(subscriber, part, now)
        except BlockingIOError:
            return None
        except OSError:
            count = 0
        if count == 0:
            self._end(subscriber)
        return None

    def _receive_head(self, subscriber):
        """A stalled subscriber only looks at the head and never takes anything from its socket."""
        flags = 0 if subscriber.reads else socket.MSG_PEEK
        try:
            head = subscriber.socket.recv(65536, flags)
        except ConnectionError:
            head = b""
        if not head.startswith(b"HTTP/1.1 200 "):
            # When a stream is opened again, the server may be refusing streams for a moment.
            if self._options.discard:
                return self._end(subscriber)
            sys.exit("a stream was refused: " + head[:300].decode(errors="replace"))
        subscriber.is_open = True
        if not subscriber.reads:
            self._selector.unregister(subscriber.socket)
        elif not self._options.discard:
            self._parse(subscriber, head.partition(b"\r\n\r\n")[2], time.monotonic_ns())
        return None

    def _parse(self, subscriber, part, now):
        *events, subscriber.rest = (subscriber.rest + part).split(b"\n\n")
        for event in events:
            start = event.find(b"event: ")
            name = event[start + 7:event.find(b"\n", start)]
            if name != b"update":
                subscriber.ended = name.decode(errors="replace")
                continue
            mark = event.find(MARK)
            if mark < 0:
                # A post from before the stream.
                self._wrong += 1
                continue
            mark += len(MARK)
            number = int(event[mark:event.index(b" ", mark)])
            # Exactly once and in order: nothing else counts as received.
            if number != subscriber.next:
                self._wrong += 1
            if number >= subscriber.next:
                subscriber.next = number + 1
                self._numbers.append(number)
                self._times.append(now)
                self._event_bytes += len(event) + 2

    def _end(self, subscriber):
        self._selector.unregister(subscriber.socket)
        subscriber.socket.close()
        if self._options.discard:
            self._reopened += 1
            self._waiting.append((time.monotonic() + REOPEN_SECONDS, subscriber))
        else:
            subscriber.ended = subscriber.ended or "closed"

    def _counts(self):
        ended = [subscriber.ended for subscriber in self._live if subscriber.ended]
        received = len(self._numbers)
        return {
            "counted": self._counted, "received": received, "wrong": self._wrong, "reopened": self._reopened,
            "ended": ended, "event_bytes": self._event_bytes / received if received else 0}

    def _delays(self, posts):
        """Milliseconds from sending a post, and from its response, to each arrival."""
        found = {}
        for index, name in enumerate(("sent", "answered")):
            delays = sorted(then - posts[number][index] for number, then in zip(self._numbers, self._times))
            last = len(delays) - 1
            found[name] = {
                key: delays[min(last, int(len(delays) * share))] / 1e6
                for key, share in (("median", 0.5), ("p99", 0.99), ("worst", 1)) if delays}
        return found


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--port", type=int, required=True, help="of the server on 127.0.0.1")
    options.add_argument("--path", required=True, help="of the stream")
    options.add_argument("--subscribers", type=int, required=True)
    options.add_argument("--stalled", type=int, default=0, help="how many of them never read")
    options.add_argument("--patience", type=float, default=30)
    options.add_argument("--discard", action="store_true")
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    Readers(options.parse_args()).run()


if __name__ == "__main__":
    main()
