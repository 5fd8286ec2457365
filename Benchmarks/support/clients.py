"""Programs that download: one file each, until it is hashed and on the disk, and compared with what it should be."""

import dataclasses
import os
import pathlib
import select
import shutil
import signal
import statistics
import subprocess
import time

from support.lanes import Lane, Sample
from support.machine import BenchmarkError, say
from support.servers import Traffic
from support.transfers import make_file, sha256_of
from support.usage import PeakMemory


#: Hashes as fast as feedclient does; `sha256sum` may not use the processor's SHA instructions.
OPENSSL = ("openssl", "dgst", "-sha256", "-r")


class FailedRun(BenchmarkError):
    """A run that gave a wrong file or none; it is counted, not timed."""


@dataclasses.dataclass(frozen=True)
class Payload:
    """A file that a server offers."""

    name: str
    size: int
    sha256: str

    @classmethod
    def make(cls, folder, name, size):
        return cls(name, size, make_file(folder / name, size))


@dataclasses.dataclass(frozen=True)
class Job:
    """What to fetch from where, and the path it gets."""

    server: object
    payload: Payload
    target: pathlib.Path
    #: After so many seconds the run has failed.
    limit: float

    @property
    def url(self):
        return self.server.url(self.payload.name)


@dataclasses.dataclass(frozen=True)
class Client:
    """A program that downloads. `arguments` says how it is called for a job."""

    label: str
    arguments: object
    #: Hashes the file when the program has ended and does not hash it itself.
    hasher: tuple = OPENSSL

    def steps(self, job):
        """What is run one after the other, until the file is hashed and on the disk."""
        target = str(job.target)
        return [self.arguments(job), *([[*self.hasher, target]] if self.hasher else []), ["sync", target]]


def feedclient(binary, connections=None):
    """Ours: hashes the file itself, and chooses the number of connections unless it is given."""
    fixed = ["--connections", str(connections)] if connections else []
    return Client(
        " ".join(["feedclient", *fixed]),
        lambda job: [str(binary), "download", job.url, "--output", str(job.target), "--checksum",
                     f"sha-256:{job.payload.sha256}", "--progress", "none", *fixed],
        hasher=())


def curl(hasher=OPENSSL):
    return Client(
        "curl" if hasher is OPENSSL else f"curl, {hasher[0]}",
        lambda job: ["curl", "-q", "--fail", "-sS", "-o", str(job.target), job.url], hasher)


def aria2(connections=None):
    """With its defaults (which give one connection), or tuned for a number of connections."""
    n = str(connections)
    tuned = ["-x", n, "-s", n, "-k", "1M", "--file-allocation=none", "--summary-interval=0"] if connections else []
    return Client(
        f"aria2c -x {n}" if connections else "aria2c, defaults",
        lambda job: ["aria2c", "--no-conf", *tuned, "-d", str(job.target.parent), "-o", job.target.name, job.url])


def axel(connections):
    n = str(connections)
    return Client(f"axel -n {n}", lambda job: ["axel", "-q", "-n", n, "-o", str(job.target), job.url])


@dataclasses.dataclass
class Download(Sample):
    """A run. `seconds` is until the file is hashed and on the disk, `cpu` is of the client and what does that."""

    #: Until the client itself has ended.
    program_seconds: float = 0.0
    #: The most resident bytes of the client: its own, and of all kinds.
    memory: int = 0
    resident: int = 0
    #: None when the server does not count.
    traffic: Traffic | None = None


class ClientLane(Lane):
    """A client's part. Runs that fail are counted and told, and the others go on."""

    def __init__(self, client, job, warm_up=None):
        super().__init__(client.label, lambda number: download(client, job if number or not warm_up else warm_up))
        self.failures = []

    def measure(self, number):
        try:
            super().measure(number)
        except FailedRun as failure:
            self.failures.append(str(failure))
            say(f"  {self.label}: {failure}")

    def median(self, value):
        return statistics.median(map(value, self.samples))

    @property
    def quartiles(self):
        """The first and the third, in seconds."""
        seconds = [sample.seconds for sample in self.samples]
        if len(seconds) == 1:
            return seconds[0], seconds[0]
        first, _, third = statistics.quantiles(seconds, n=4, method="inclusive")
        return first, third


def download(client, job):
    """Runs a client and what hashes and syncs after it, and looks at the file."""
    folder = job.target.parent
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    job.server.traffic()
    start = time.monotonic()
    first, *rest = client.steps(job)
    cpu, memory = _run(first, folder, job.limit)
    program_seconds = time.monotonic() - start
    cpu += sum(_run(step, folder, job.limit)[0] for step in rest)
    seconds = time.monotonic() - start
    traffic = job.server.traffic()
    if sha256_of(job.target) != job.payload.sha256:
        raise FailedRun("a wrong file")
    shutil.rmtree(folder)
    return Download(
        seconds, job.payload.size, cpu, program_seconds, memory.peak, memory.resident, traffic)


def _run(command, folder, limit):
    """Runs a program to its end. Returns its CPU seconds and its memory."""
    with open(folder.parent / "client.log", "w+b") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log, env=_environment(folder.parent))
        try:
            with PeakMemory(process.pid) as memory:
                ended = _has_ended(process.pid, limit)
        finally:
            # Not by `Popen.kill`, which takes the exit code: with it the kernel tells the CPU time, once, here.
            os.kill(process.pid, signal.SIGKILL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if not ended:
            raise FailedRun(f"{command[0]} was not done after {limit:.0f} s")
        if process.returncode != 0:
            log.seek(0)
            text = log.read().decode(errors="replace").strip()
            raise FailedRun(f"{pathlib.Path(command[0]).name} ended with {process.returncode}: {text[-300:]}")
    return usage.ru_utime + usage.ru_stime, memory


def _has_ended(pid, limit):
    """Waits for a process without taking its exit code."""
    descriptor = os.pidfd_open(pid)
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        return bool(poll.poll(limit * 1000))
    finally:
        os.close(descriptor)


def _environment(home):
    """Nobody's settings, logins or proxies."""
    places = {name: str(home) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")}
    return {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"} | places
