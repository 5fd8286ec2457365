#!/usr/bin/env python3
"""A network that is not as good as loopback, in front of a server: delay, a rate per connection, one slow connection.

It prints `listening on ADDRESS`. A line on standard input is answered by a line of JSON: the connections, the requests
and the bytes since the last one; connections are counted afresh. It ends when standard input does.

What it imitates, for every TCP connection by itself:
- Each byte arrives `--delay` after it left, both ways. Setting up costs a round trip: the kernel accepts at once, so
  the client's first bytes are kept back that long, and the first answer is there after two round trips.
- Not more than a window of bytes is under way to the client, so a connection carries at most window / round trip. The
  window begins with ten segments and grows by what has arrived (slow start) up to `--window`. Nothing gets lost.
- With `--rate`, bytes leave no faster than that; the connection number `--slow` gets a tenth of it. Each byte's time is
  reckoned from the one before, not from when this process woke up, so that being late does not add up.
"""

import argparse
import asyncio
import json
import os
import socket
import sys

SEGMENT = 1460
BLOCK = 128 << 10
LEAST_BLOCK = 4 << 10
#: A block of a connection with a rate takes this long, unless it would be too small.
BLOCK_SECONDS = 0.005


class Counts:
    """What went through since the last report."""

    def __init__(self):
        self.connections = self.requests = self.sent = self.received = 0


class Pace:
    """Says when the last of some bytes leaves, at a given rate; without one it is always now."""

    def __init__(self, rate):
        self._rate = rate
        self._free = 0.0

    @property
    def block(self):
        return min(BLOCK, max(LEAST_BLOCK, int(self._rate * BLOCK_SECONDS))) if self._rate else BLOCK

    def leaves(self, size, now):
        if not self._rate:
            return now
        self._free = max(self._free, now) + size / self._rate
        return self._free


class Window:
    """How many bytes may be under way."""

    def __init__(self, most, slow_start):
        self._most = most
        self._size = min(most, 10 * SEGMENT) if slow_start else most
        self._under_way = 0
        self._changed = asyncio.Event()

    async def room(self):
        """Waits until there is any, and returns how much."""
        while self._under_way >= self._size:
            self._changed.clear()
            await self._changed.wait()
        return self._size - self._under_way

    def send(self, size):
        self._under_way += size

    def acknowledge(self, size):
        self._under_way -= size
        self._size = min(self._most, self._size + size)
        self._changed.set()


class Line:
    """One direction of a connection: reads as far ahead as the window allows, and hands on when it is time."""

    def __init__(self, source, target, delay, window, pace, not_before, count):
        self._source, self._target = source, target
        self._delay, self._window, self._pace = delay, window, pace
        self._not_before = not_before
        self._count = count
        self._queue = asyncio.Queue()
        self._loop = asyncio.get_running_loop()

    async def run(self):
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._read())
            tasks.create_task(self._write())

    async def _read(self):
        data = b"-"
        while data:
            room = await self._window.room()
            data = await self._loop.sock_recv(self._source, min(room, self._pace.block))
            self._window.send(len(data))
            leaves = self._pace.leaves(len(data), max(self._loop.time(), self._not_before))
            self._queue.put_nowait((leaves + self._delay, data))

    async def _write(self):
        while True:
            due, data = await self._queue.get()
            if (wait := due - self._loop.time()) > 0:
                await asyncio.sleep(wait)
            if not data:
                self._target.shutdown(socket.SHUT_WR)
                return
            await self._loop.sock_sendall(self._target, data)
            self._count(data)
            # The acknowledgement of what came in time was sent in time, however late we woke up.
            back = max(due, self._loop.time() - BLOCK_SECONDS) + self._delay
            self._loop.call_at(back, self._window.acknowledge, len(data))


class Requests:
    """Counts heads of requests without bodies in a stream cut anywhere."""

    _END = b"\r\n\r\n"

    def __init__(self):
        self._rest = b""

    def count(self, data):
        text = self._rest + data
        self._rest = text[-3:]
        return text.count(self._END)


class Proxy:
    """Takes connections and carries each to the server."""

    def __init__(self, options):
        self._options = options
        self._counts = Counts()
        self._tasks = set()

    async def run(self):
        loop = asyncio.get_running_loop()
        with socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
            listener.setblocking(False)
            print(f"listening on http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
            ended = loop.create_future()
            loop.add_reader(sys.stdin.fileno(), self._report, ended)
            accepting = loop.create_task(self._accept(listener))
            await asyncio.wait([accepting, ended], return_when=asyncio.FIRST_COMPLETED)

    def _report(self, ended):
        if not os.read(sys.stdin.fileno(), 100):
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
            ended.set_result(None)
            return
        print(json.dumps(vars(self._counts)), flush=True)
        # Connections that are still closing keep the counts they began with.
        self._counts = Counts()

    async def _accept(self, listener):
        loop = asyncio.get_running_loop()
        while True:
            client, _ = await loop.sock_accept(listener)
            task = loop.create_task(self._carry(client, loop.time()))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _carry(self, client, accepted):
        options, counts = self._options, self._counts
        counts.connections += 1
        rate = options.rate * (0.1 if counts.connections == options.slow else 1)
        requests = Requests()

        def count_up(data):
            counts.requests += requests.count(data)
            counts.received += len(data)

        def count_down(data):
            counts.sent += len(data)

        with client, socket.socket() as server:
            try:
                for one in (client, server):
                    one.setblocking(False)
                    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                await asyncio.get_running_loop().sock_connect(server, ("127.0.0.1", options.upstream))
                up = Line(client, server, options.delay, Window(options.window, False), Pace(0),
                          accepted + 2 * options.delay, count_up)
                down = Line(server, client, options.delay, Window(options.window, options.delay > 0), Pace(rate),
                            0, count_down)
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(up.run())
                    tasks.create_task(down.run())
            except* OSError:
                pass  # One side is gone: so is the connection.


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--upstream", type=int, required=True, help="the port of the server, on 127.0.0.1")
    parser.add_argument("--delay", type=float, default=0, help="seconds, each way")
    parser.add_argument("--window", type=int, default=1 << 20, help="bytes under way to the client (default: 1 MiB)")
    parser.add_argument("--rate", type=float, default=0, help="bytes per second and connection")
    parser.add_argument("--slow", type=int, default=0, help="the connection that gets a tenth of the rate, from 1")
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(Proxy(parse_arguments()).run())
