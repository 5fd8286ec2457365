#!/usr/bin/env python3
"""Posts statuses at a fixed rate until standard input ends: writer.py PORT TOKENS RATE

The posts are by the accounts of the file TOKENS in turn. A late post does not delay the next ones: each connection
keeps to its own times. Prints "writing" after the first posts, and at the end the number of posts and of seconds as
JSON.
"""

import itertools
import json
import pathlib
import socket
import sys
import threading
import time

_CONNECTIONS = 8


class Writer:
    """All connections together."""

    def __init__(self, port, tokens, rate):
        self._port, self._tokens, self._pause = port, itertools.cycle(tokens), _CONNECTIONS / rate
        self._lock, self._end, self._begun = threading.Lock(), threading.Event(), threading.Barrier(_CONNECTIONS + 1)
        self._start, self._posts, self._failure = 0.0, 0, None

    def run(self):
        threads = [threading.Thread(target=self._write, args=(number,), daemon=True) for number in range(_CONNECTIONS)]
        for thread in threads:
            thread.start()
        self._begun.wait(30)
        self._start = time.monotonic()
        print("writing", flush=True)
        sys.stdin.read()
        self._end.set()
        for thread in threads:
            thread.join(30)
        if self._failure:
            sys.exit(self._failure)
        print(json.dumps([self._posts, time.monotonic() - self._start]))

    def _write(self, number):
        try:
            with socket.create_connection(("127.0.0.1", self._port), timeout=30) as connection:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._post(connection)
                self._begun.wait(30)
                self._keep_posting(connection, time.monotonic() + number * self._pause / _CONNECTIONS)
        except (OSError, RuntimeError) as error:
            self._failure = f"{type(error).__name__}: {error}"

    def _keep_posting(self, connection, due):
        while not self._end.wait(max(0.0, due - time.monotonic())):
            self._post(connection)
            due += self._pause
            with self._lock:
                self._posts += 1

    def _post(self, connection):
        with self._lock:
            token = next(self._tokens)
        body = b"status=Something+that+somebody+wanted+to+say+while+others+read"
        head = (f"POST /api/v1/statuses HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nAuthorization: Bearer {token}\r\n"
                f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n")
        connection.sendall(head.encode() + body)
        _read_response(connection)


def _read_response(connection):
    """Reads a response with a Content-Length; any status but 200 is an error."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += _received(connection)
    head, _, body = data.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200"):
        raise OSError(repr(head[:200]))
    fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
    length = int(fields[b"content-length"])
    while len(body) < length:
        body += _received(connection)


def _received(connection):
    data = connection.recv(1 << 16)
    if not data:
        raise OSError("the server has closed the connection")
    return data


if __name__ == "__main__":
    Writer(int(sys.argv[1]), pathlib.Path(sys.argv[2]).read_text().split(), float(sys.argv[3])).run()
