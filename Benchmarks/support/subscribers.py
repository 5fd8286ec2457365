"""Subscribers of streams, and the client that posts and reads the server's metrics."""

import http.client
import json
import pathlib
import re
import select
import subprocess
import sys
import time

from support.machine import BenchmarkError


class Streams:
    """Subscribers in a process of their own, which end with the `with` block."""

    _PROGRAM = pathlib.Path(__file__).with_name("stream_readers.py")
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
        """The value of a metric; 0 if it is missing."""
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
        # The streams read the log as well, which takes next to no time without subscribers.
        time.sleep(1)
