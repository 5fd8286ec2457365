#!/usr/bin/env python3
"""Images: the time of one thumbnail beside vipsthumbnail, and how uploads delay readers.

The first part starts `feedserver process-media`, as the server does for each upload, and `vipsthumbnail` in turns, and
measures from exec to exit; the photo has 12 megapixels. The second part reads a timeline at a fixed rate, in turns on a
quiet server and while curl uploads that photo on several connections. The reader and curl share the processors with the
server, so the reader runs before everything else and curl after it, as if both were on machines of their own. Results go
to standard output and, after a whole run, into RESULTS.md under the heading "Images".
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
import statistics
import subprocess
import time

from support.machine import BenchmarkError, cores, end_within, require, say, version, work_folder
from support.report import put_section, table
from support.servers import Feedserver

HERE = pathlib.Path(__file__).resolve().parent
TIMELINE = "/api/v1/timelines/public?limit=20"
WIDTH, HEIGHT = 4000, 3000
#: The size of our thumbnail of that photo, which has at most as many pixels as 640 × 360.
THUMBNAIL = (554, 415)
#: What the server passes to the process: bytes of an image and of a video, pixels of an image and of a thumbnail.
LIMITS = ["16777216", "41943040", "33000000", "230400"]
#: As in MediaSpawn.
ENVIRONMENT = {"MALLOC_ARENA_MAX": "1", "SWIFT_BACKTRACE": "enable=no"}


def vips(*arguments):
    done = subprocess.run(["vips", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise BenchmarkError(f"vips {arguments[0]}: {done.stdout.strip()}")


def make_photo(folder):
    """A JPEG with details of all sizes in all channels, like a photo of clouds."""
    photo, planes = folder / "photo.jpg", [folder / f"{name}.v" for name in ("red", "green", "blue")]
    vips("fractsurf", folder / "surface.v", WIDTH, HEIGHT, 2.75)
    vips("scale", folder / "surface.v", planes[0])
    vips("flip", planes[0], planes[1], "horizontal")
    vips("flip", planes[0], planes[2], "vertical")
    vips("bandjoin", " ".join(map(str, planes)), f"{photo}[Q=85]")
    for path in (folder / "surface.v", *planes):
        path.unlink()
    return photo


# One thumbnail


def seconds_of(command, descriptors):
    """The time from the start of a process to its end. It gets copies of the descriptors, by number."""
    actions = [(os.POSIX_SPAWN_DUP2, descriptor, number) for number, descriptor in descriptors.items()]
    start = time.perf_counter()
    process = os.posix_spawn(command[0], command, ENVIRONMENT | {"PATH": os.environ["PATH"]}, file_actions=actions)
    _, status = os.waitpid(process, 0)
    taken = time.perf_counter() - start
    if status != 0:
        raise BenchmarkError(f"{command[0]} has failed: {os.waitstatus_to_exitcode(status)}")
    return taken


def ours(binary, photo, folder):
    """Milliseconds of our process, which also makes the copy without metadata."""
    with contextlib.ExitStack() as files:
        upload = files.enter_context(open(photo, "rb"))
        made = [files.enter_context(open(folder / name, "wb+")) for name in ("report", "content", "thumbnail")]
        # High numbers, so that none of them is overwritten before it is copied.
        high = [os.dup2(file.fileno(), 40 + index) for index, file in enumerate([upload, *made])]
        try:
            taken = seconds_of([str(binary), "process-media", *LIMITS], dict(zip((0, 1, 3, 4), high)))
        finally:
            for descriptor in high:
                os.close(descriptor)
        made[0].seek(0)
        report = made[0].read().decode()
    if (folder / "thumbnail").stat().st_size == 0:
        raise BenchmarkError(f"there is no thumbnail; are the packages of scripts/foreign-clients installed? {report}")
    return taken * 1000


def theirs(photo, folder):
    program = subprocess.run(["which", "vipsthumbnail"], stdout=subprocess.PIPE, text=True).stdout.strip()
    size = "x".join(map(str, THUMBNAIL))
    return seconds_of([program, str(photo), "-s", size, "-o", str(folder / "theirs.jpg")], {}) * 1000


def measure_thumbnails(given, photo, folder):
    """Milliseconds of both, in turns; the first pair only fills the caches."""
    found = {"process-media": [], "vipsthumbnail": []}
    for number in range(given.pairs + 1):
        pair = {"process-media": ours(given.server, photo, folder), "vipsthumbnail": theirs(photo, folder)}
        if number > 0:
            for name, taken in pair.items():
                found[name].append(taken)
    return found


def thumbnail_table(found):
    base = statistics.median(found["vipsthumbnail"])
    rows = [[f"`{name}`", f"{statistics.median(times):.0f}", f"{min(times):.0f}", f"{max(times):.0f}",
             f"{statistics.median(times) / base:.2f}"] for name, times in found.items()]
    return table(["", "median ms", "least ms", "most ms", "ratio of medians"], rows)


# Reads during uploads


def connect(server):
    return contextlib.closing(http.client.HTTPConnection(server.address.removeprefix("http://"), timeout=60))


def fill(server):
    """Something to read."""
    with connect(server) as connection:
        for number in range(60):
            body = json.dumps({"status": f"number {number}: " + "words and more words " * 5})
            connection.request("POST", "/api/v1/statuses", body, {
                "Authorization": "Bearer " + server.token, "Content-Type": "application/json"})
            response = connection.getresponse()
            response.read()
            if response.status != 200:
                raise BenchmarkError(f"cannot post: {response.status}")


def run_at_once():
    """Keeps other processes from delaying this one, so that it measures the server's delays and not its own, like a reader
    on a machine of its own. The processes that it starts have the usual priority."""
    with contextlib.suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))


def read(server, rate, is_done):
    """Milliseconds of timeline reads at a fixed rate, on one connection, until `is_done` says so."""
    times = []
    with connect(server) as connection:
        begin = time.perf_counter()
        while not is_done(time.perf_counter() - begin):
            start = time.perf_counter()
            connection.request("GET", TIMELINE)
            response = connection.getresponse()
            response.read()
            if response.status != 200:
                raise BenchmarkError(f"cannot read: {response.status}")
            times.append((time.perf_counter() - start) * 1000)
            time.sleep(max(0.0, begin + len(times) / rate - time.perf_counter()))
    return times


def start_uploads(server, photo, given, folder):
    """Uploads in a process of their own. It gives way to the server, from whose processors it would otherwise take time
    that clients on other machines do not take."""
    part = [f'url = "{server.address}/api/v1/media"', f'header = "Authorization: Bearer {server.token}"',
            f'form = "file=@{photo}"', 'output = "/dev/null"', 'write-out = "%{http_code}\\n"']
    (folder / "uploads.conf").write_text("\nnext\n".join(["\n".join(part)] * given.uploads) + "\n")
    return subprocess.Popen(
        ["nice", "-n", "19", "curl", "--silent", "--parallel", "--parallel-max", str(given.connections), "--config",
         str(folder / "uploads.conf")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def read_during_uploads(server, photo, given, folder):
    """The times of the reads, and the seconds that the uploads took."""
    uploads = start_uploads(server, photo, given, folder)
    begin = time.perf_counter()
    try:
        times = read(server, given.rate, lambda _: uploads.poll() is not None)
    except BaseException:
        uploads.kill()
        raise
    taken = time.perf_counter() - begin
    codes = uploads.stdout.read().split()
    if codes != ["200"] * given.uploads:
        raise BenchmarkError(f"uploads have failed: {sorted(set(codes))}, {len(codes)} of {given.uploads}")
    return times, taken


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


class Reads:
    """The results of all rounds."""

    def __init__(self):
        self.medians, self.p99s, self.worst, self.count = [], [], 0.0, 0

    def add(self, times):
        self.medians.append(statistics.median(times))
        self.p99s.append(percentile(times, 0.99))
        self.worst = max(self.worst, max(times))
        self.count += len(times)

    def row(self, name, idle):
        p99 = statistics.median(self.p99s)
        return [name, f"{statistics.median(self.medians):.1f}", f"{p99:.1f}",
                f"{p99 / statistics.median(idle.p99s):.2f}", f"{self.worst:.1f}", f"{self.count:,}"]


def measure_reads(given, photo, folder):
    idle, busy, rates = Reads(), Reads(), []
    with Feedserver(folder, given.server) as server:
        fill(server)
        run_at_once()
        read(server, given.rate, lambda elapsed: elapsed > 2)
        for number in range(given.rounds):
            say(f"round {number + 1}: idle")
            idle.add(read(server, given.rate, lambda elapsed: elapsed > given.seconds))
            say(f"round {number + 1}: {given.uploads} uploads")
            times, taken = read_during_uploads(server, photo, given, folder)
            busy.add(times)
            rates.append(given.uploads / taken)
            # What the uploads have left to do.
            time.sleep(2)
    return idle, busy, statistics.median(rates)


# Both


def report(given, photo, thumbnails, reads):
    idle, busy, rate = reads
    head = ["timeline", "median ms", "p99 ms", "ratio of p99", "worst ms", "requests"]
    text = (
        f"From exec to exit, a JPEG of {WIDTH} × {HEIGHT} pixels and {photo.stat().st_size / 1e6:.1f} MB to "
        f"{THUMBNAIL[0]} × {THUMBNAIL[1]}, {given.pairs} pairs in turns:\n\n" + thumbnail_table(thumbnails) +
        f"\n\nTimeline reads, {given.rate} a second, while that photo is uploaded {given.uploads} times on "
        f"{given.connections} connections ({rate:.1f} uploads a second; curl at nice 19), {given.rounds} rounds in "
        "turns, medians of the rounds:\n\n" + table(head, [idle.row("idle", idle), busy.row("during uploads", idle)]))
    print(text)
    if given.dry:
        return
    intro = (
        f"{datetime.date.today()}, {cores()} cores; libvips {version('vipsthumbnail', '--version')}; "
        "`python3 Benchmarks/media.py`.")
    put_section(HERE / "RESULTS.md", "Images", intro + " " + text, "Benchmarks")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--server", required=True, help="feedserver, a release build")
    options.add_argument("--pairs", type=int, default=25, help="thumbnails of each program")
    options.add_argument("--uploads", type=int, default=100)
    options.add_argument("--connections", type=int, default=8)
    options.add_argument("--rate", type=int, default=100, help="timeline reads a second")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--seconds", type=int, default=15, help="of each round without uploads")
    options.add_argument("--work", default="/tmp", help="a folder for temporary files")
    options.add_argument("--dry", action="store_true", help="do not write RESULTS.md")
    given = options.parse_args()
    given.server = str(pathlib.Path(given.server).resolve())
    try:
        require({"vipsthumbnail": "libvips-tools", "vips": "libvips-tools", "curl": "curl"})
        end_within(300 + 10 * given.pairs + given.rounds * (given.seconds + 5 * given.uploads))
        with work_folder(given.work, 2 << 30) as folder:
            photo = make_photo(folder)
            say("thumbnails")
            thumbnails = measure_thumbnails(given, photo, folder)
            report(given, photo, thumbnails, measure_reads(given, photo, folder))
    except KeyboardInterrupt:
        sys.exit(130)
    except (BenchmarkError, OSError, subprocess.SubprocessError) as error:
        sys.exit(f"media: {error}")


if __name__ == "__main__":
    main()
