"""Measuring: contestants in turns, round after round, with what each request costs."""

import dataclasses
import resource
import statistics
import time
from collections.abc import Callable

from support.machine import say
from support.usage import PeakMemory, cpu_seconds, thread_seconds
from timelines import load

#: How the names of SwiftNIO's event loops begin.
_EVENT_LOOP = "NIO"
#: Seconds between two runs, in which the server settles.
_PAUSE = 0.3


@dataclasses.dataclass
class Contestant:
    """One side of a comparison. The first run is a warm-up: it does not count."""

    label: str
    loads: list = dataclasses.field(default_factory=list)
    cpu: float = 0.0
    fsyncs: int = 0
    #: The most anonymous memory of all processes in bytes; None for C.
    memory: int | None = None

    @property
    def rates(self):
        return [one.rate for one in self.loads]

    @property
    def rate(self):
        """Requests per second, the median of the rounds."""
        return statistics.median(self.rates)

    @property
    def p50(self):
        return statistics.median(one.p50 for one in self.loads)

    @property
    def p99(self):
        """Milliseconds, the median of the rounds."""
        return statistics.median(one.p99 for one in self.loads)

    @property
    def requests(self):
        return sum(one.requests for one in self.loads)

    @property
    def bytes_per_request(self):
        return sum(one.bytes for one in self.loads) / self.requests

    @property
    def cpu_microseconds(self):
        """CPU time per request, over all rounds, because the clock that counts it is coarse."""
        return self.cpu / self.requests * 1e6

    @property
    def fsyncs_per_request(self):
        return self.fsyncs / self.requests

    def measure(self, seconds, counts):
        """Runs one round; `counts` is false for the warm-up."""
        result, cpu, fsyncs = self.run(seconds)
        if counts:
            self.loads.append(result)
            self.cpu += cpu
            self.fsyncs += fsyncs

    def run(self, seconds):
        """One run: its load, its seconds of CPU time, its fsyncs."""
        raise NotImplementedError


@dataclasses.dataclass
class ServerContestant(Contestant):
    """A server; `request` sends it the requests of one run."""

    server: object = None
    request: Callable[[int], load.Load] = None
    #: Posts per second while it is measured, by the accounts of this file of tokens.
    writes: int = 0
    writers: object = None
    posts: int = 0
    posting_seconds: float = 0.0
    #: Seconds of CPU time of the event loops.
    loops: float = 0.0
    last_loops: float = 0.0

    @property
    def post_rate(self):
        return self.posts / self.posting_seconds if self.posting_seconds else 0.0

    @property
    def loop_microseconds(self):
        """CPU time of the event loops per request, over all rounds."""
        return self.loops / self.requests * 1e6

    def measure(self, seconds, counts):
        with PeakMemory(*self.server.pids) as memory:
            super().measure(seconds, counts)
        if counts:
            self.loops += self.last_loops
        self.memory = max(self.memory or 0, memory.peak)
        self.server.forget_log()

    def run(self, seconds):
        cpu, fsyncs = cpu_seconds(self.server.pids), self.server.fsyncs()
        loops = thread_seconds(self.server.pid, _EVENT_LOOP)
        result = self._request_while_writing(seconds) if self.writes else self.request(seconds)
        self.last_loops = thread_seconds(self.server.pid, _EVENT_LOOP) - loops
        return result, cpu_seconds(self.server.pids) - cpu, self.server.fsyncs() - fsyncs

    def _request_while_writing(self, seconds):
        writing = load.Writing(self.server, self.writers, self.writes)
        with writing:
            result = self.request(seconds)
        self.posts += writing.posts
        self.posting_seconds += writing.seconds
        return result


@dataclasses.dataclass
class ReplayContestant(Contestant):
    """The C program with the recorded statements of one of our requests."""

    peers: object = None
    database: object = None
    recording: object = None
    threads: int = 1
    writes: bool = False

    def run(self, seconds):
        before, counter = _children_cpu(), self.recording.with_suffix(".fsyncs")
        counter.write_bytes(bytes(8))
        result = load.replay(
            self.peers, self.database, self.recording, self.threads, seconds, self.writes, counter)
        return result, _children_cpu() - before, int.from_bytes(counter.read_bytes(), "little")


def alternate(title, contestants, rounds, seconds):
    """One warm-up and then `rounds` rounds of A B A B …, so that a slow minute meets everybody."""
    say(f"{title}: {rounds} rounds of {seconds} s")
    for number in range(rounds + 1):
        for contestant in contestants:
            time.sleep(_PAUSE)
            contestant.measure(seconds, counts=number > 0)


def _children_cpu():
    """CPU time of the programs we ran that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
