"""Load: requests by wrk, statements by replay, and posts at a fixed rate beside them."""

import contextlib
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys

from support.machine import BenchmarkError

_HERE = pathlib.Path(__file__).parent
_RESULT = re.compile(r"^result (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)$", re.MULTILINE)
#: Seconds until wrk gives up on a response.
_TIMEOUT = 10


@dataclasses.dataclass
class Load:
    """What one run has done."""

    requests: int
    seconds: float
    #: Heads and bodies of all responses; 0 if there are none.
    bytes: int
    #: Latencies in milliseconds.
    p50: float
    p99: float

    @property
    def rate(self):
        return self.requests / self.seconds


def _load(result):
    found = _RESULT.search(result.stdout)
    if result.returncode != 0 or not found:
        raise BenchmarkError((result.stderr or result.stdout).strip()[-500:])
    requests, microseconds, size, errors, p50, p99 = map(int, found.groups())
    if errors or not requests:
        raise BenchmarkError(f"{errors} of {requests} requests failed: {result.stdout.strip()[-500:]}")
    return Load(requests, microseconds / 1e6, size, p50 / 1000, p99 / 1000)


def write_requests(path, requests):
    """Writes a file of requests, pairs of a path and a token or None, for `wrk`."""
    path.write_text("".join(f"{target} {token or '-'}\n" for target, token in requests))
    return path


def wrk(server, requests, connections, seconds, body=None, etag=None, is_stored=True):
    """The requests of a file in turn; the same one all the time if there is only one. If `is_stored` is false, they have
    a header that keeps feedserver from sending a stored response at once, and means nothing to its pages."""
    command = ["wrk", "--threads", "1", "--connections", str(connections), "--duration", f"{seconds}s", "--timeout",
               f"{_TIMEOUT}s", "--script", str(_HERE / "load.lua"), server.address, "--", str(requests)]
    return _load(subprocess.run(
        command + ([body] if body else []), capture_output=True, text=True, timeout=seconds + 60,
        env=os.environ | ({"ETAG": etag} if etag else {}) | ({} if is_stored else {"RANGE": "bytes=0-"})))


def replay(peers, database, recording, threads, seconds, writes, fsyncs):
    """Recorded statements without a server, see replay.c; `fsyncs` is the file that counts them."""
    return _load(subprocess.run(
        [peers / "replay", database, recording, str(threads), str(seconds), "write" if writes else "read"],
        capture_output=True, text=True, timeout=seconds + 60,
        env=os.environ | {"LD_PRELOAD": str(peers / "fsyncs.so"), "FEED_FSYNCS": str(fsyncs)}))


class Writing:
    """Posts at a fixed rate while the `with` block runs, see writer.py."""

    def __init__(self, server, tokens, rate):
        self._command = [sys.executable, "-B", str(_HERE / "writer.py"), server.address.rpartition(":")[2], str(tokens),
                         str(rate)]
        self._process = None
        #: Posts that were answered, and the seconds they took together with their pauses.
        self.posts, self.seconds = 0, 0.0

    def __enter__(self):
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if self._process.stdout.readline().strip() != "writing":
            self._process.kill()
            raise BenchmarkError("the writer did not start: " + self._process.communicate()[1].strip()[-500:])
        return self

    def __exit__(self, failure, *_):
        # It ends when its standard input does.
        out, err = self._process.communicate(timeout=60)
        if failure is None and self._process.returncode != 0:
            raise BenchmarkError("the writer failed: " + err.strip()[-500:])
        with contextlib.suppress(ValueError):
            self.posts, self.seconds = json.loads(out)
