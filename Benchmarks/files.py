#!/usr/bin/env python3
"""Files: feedserver beside nginx and Caddy, on this machine, over the loopback interface, in turns.

Downloads of one large file by one and by eight connections, ranges of 1 MiB by 32, and uploads by PUT and as a multipart
form. feedserver hashes and syncs what it is given, so nginx's WebDAV PUT is followed by sha256sum and sync. Ratios go to
standard output and, after a whole run, into RESULTS.md under the heading "Files".
"""

import sys

sys.dont_write_bytecode = True

import argparse
import contextlib
import datetime
import hashlib
import os
import pathlib
import re
import resource
import subprocess
import time

from support import machine, report
from support.lanes import Lane, Sample, alternate
from support.machine import BenchmarkError, say
from support.servers import Caddy, Feedserver, Nginx

HERE = pathlib.Path(__file__).resolve().parent
MIB = 1 << 20
FILE = "file.bin"
PROGRAMS = {"nginx": "nginx", "caddy": "caddy", "curl": "curl", "wrk": "wrk"}


class Plan:
    """How much of everything."""

    def __init__(self, quick):
        self.file_bytes = (20 if quick else 200) * MIB
        self.upload_bytes = (100 if quick else 1024) * MIB
        self.single_rounds = 3 if quick else 15
        self.eight_rounds = 3 if quick else 9
        self.range_rounds = 2 if quick else 7
        self.range_seconds = 1 if quick else 5
        self.upload_rounds = 2 if quick else 5
        self.limit_seconds = 300 if quick else 1500

    @property
    def needed_bytes(self):
        """Room on the disk: the payloads, their copies, and some more."""
        return 3 * self.file_bytes + 4 * self.upload_bytes + 256 * MIB


# Clients


def start_curl(*arguments, output="/dev/null"):
    """Starts curl, which will print status, bytes received and seconds."""
    return subprocess.Popen(
        ["curl", "-q", "--silent", "--show-error", "--noproxy", "*", "--max-time", "120", "--output", str(output),
         "--write-out", "%{http_code} %{size_download} %{time_total}", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish_curl(process, accept):
    """Waits for curl. Returns bytes received and its own measure of seconds; any status but `accept` is an error."""
    out, err = process.communicate()
    status, size, seconds = (out.split() + ["", "0", "0"])[:3]
    if accept and (process.returncode != 0 or status not in accept):
        raise BenchmarkError(f"curl: HTTP {status or '?'} {err.strip()}")
    return int(size), float(seconds)


def curl(*arguments, accept=("200",), output="/dev/null"):
    """Runs curl to its end, see `finish_curl`."""
    return finish_curl(start_curl(*arguments, output=output), accept)


def expect(value, wanted, what):
    """A download that is not what it should be ends the benchmark."""
    if value != wanted:
        raise BenchmarkError(f"{what}: {value} instead of {wanted}")


# Payloads


def make_file(path, size):
    """Fills a file with bytes nobody can compress, and returns their SHA-256."""
    digest = hashlib.sha256()
    with open(path, "wb") as file:
        for _ in range(size // MIB):
            block = os.urandom(MIB)
            digest.update(block)
            file.write(block)
    return digest.hexdigest()


def sha256_of(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def freshen(path):
    """Changes the first bytes, so that no server has seen the file before; returns the new SHA-256."""
    with open(path, "r+b") as file:
        file.write(os.urandom(16))
    return sha256_of(path)


# Downloads


def download_once(server, size):
    """One file over one connection, by curl's own clock."""
    received, seconds = curl(server.url(FILE))
    expect(received, size, f"bytes from {server.name}")
    return Sample(seconds, received)


def download_many(server, size, connections):
    """One file over several connections at once, from the first start to the last end."""
    start = time.monotonic()
    processes = [start_curl(server.url(FILE)) for _ in range(connections)]
    for process in processes:
        received, _ = finish_curl(process, ("200",))
        expect(received, size, f"bytes from {server.name}")
    return Sample(time.monotonic() - start, size * connections)


def download_ranges(server, size, connections, seconds):
    """Random aligned ranges by wrk. All of them together must have the bytes that were asked for."""
    result = subprocess.run(
        ["wrk", "--threads", str(min(2, machine.cores())), "--connections", str(connections), "--duration",
         f"{seconds}s", "--timeout", "10s", "--script", str(HERE / "support/ranges.lua"), server.url(FILE), "--",
         str(size)], capture_output=True, text=True, timeout=seconds + 60)
    found = re.search(r"^result (\d+) (\d+) (\d+) (\d+)$", result.stdout, re.MULTILINE)
    if not found:
        raise BenchmarkError(f"wrk: {result.stderr.strip() or result.stdout.strip()}")
    requests, received, microseconds, errors = map(int, found.groups())
    expect(errors, 0, f"errors of {server.name}")
    # Besides the finished ones, each connection may have one under way; headers take less than 1 KiB.
    if not requests * MIB <= received <= (requests + connections) * (MIB + 1024):
        raise BenchmarkError(f"{server.name}: {received} bytes in {requests} ranges of 1 MiB")
    return Sample(microseconds / 1e6, received)


def verify_downloads(server, folder, sha256, source):
    """The whole file by SHA-256, and one range byte by byte."""
    target = folder / "verify.bin"
    curl(server.url(FILE), output=target)
    expect(sha256_of(target), sha256, f"SHA-256 from {server.name}")
    curl("--range", f"{3 * MIB}-{4 * MIB - 1}", server.url(FILE), accept=("206",), output=target)
    with open(source, "rb") as file:
        file.seek(3 * MIB)
        expect(target.read_bytes() == file.read(MIB), True, f"range from {server.name}")
    target.unlink()


def measure_downloads(plan, servers):
    """The three download parts: title and lanes of each."""
    def lanes(run):
        return [Lane(server.name, server, lambda _, server=server: run(server)) for server in servers]

    size, seconds = plan.file_bytes, plan.range_seconds
    parts = [
        ("1 connection", plan.single_rounds, lambda server: download_once(server, size)),
        ("8 connections", plan.eight_rounds, lambda server: download_many(server, size, 8)),
        ("1 MiB ranges, 32 connections", plan.range_rounds, lambda server: download_ranges(server, size, 32, seconds)),
    ]
    return [(title, alternate(title, lanes(run), rounds)) for title, rounds, run in parts]


# Uploads


def upload_ours(server, source, name, form):
    """PUT or a multipart form; the answer comes when the bytes are hashed and on the disk."""
    sha256 = freshen(source)
    os.sync()
    token = ("--header", f"Authorization: Bearer {server.token}")
    what = ("--form", f"file=@{source};filename={name}", f"{server.address}/files") if form else (
        "--upload-file", str(source), server.url(name))
    start = time.monotonic()
    curl(*token, *what, accept=("201",))
    seconds = time.monotonic() - start
    expect(sha256_of(server.data / "blobs" / sha256[:2] / sha256[2:4] / sha256), sha256, "SHA-256 of the upload")
    expect(curl("--range", "0-1023", server.url(name), accept=("206",))[0], 1024, "bytes of the upload")
    server.forget(name, sha256, curl)
    return Sample(seconds, os.path.getsize(source))


def upload_nginx(server, source, name):
    """WebDAV PUT, then hashing and syncing what it has written; the helpers' CPU time counts."""
    sha256 = freshen(source)
    os.sync()
    target = server.uploads / name
    start, helpers = time.monotonic(), children_cpu()
    curl("--upload-file", str(source), server.upload_url(name), accept=("201",))
    helpers = children_cpu()
    printed = subprocess.run(["sha256sum", str(target)], check=True, stdout=subprocess.PIPE, text=True).stdout
    subprocess.run(["sync", str(target)], check=True)
    seconds, helpers = time.monotonic() - start, children_cpu() - helpers
    expect(printed.split()[0], sha256, "SHA-256 of the upload")
    target.unlink()
    return Sample(seconds, os.path.getsize(source), helpers)


def children_cpu():
    """CPU time of the programs we ran that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure_uploads(plan, ours, nginx, source):
    """PUT and multipart beside the same figure of nginx."""
    def lane(label, server, run):
        return Lane(label, server, lambda number: run(f"{label.split()[-1]}-{number}.bin"))

    lanes = alternate("Uploads", [
        lane("feedserver PUT", ours, lambda name: upload_ours(ours, source, name, form=False)),
        lane("nginx PUT + sha256sum + sync", nginx, lambda name: upload_nginx(nginx, source, name)),
        lane("feedserver multipart", ours, lambda name: upload_ours(ours, source, name, form=True)),
    ], plan.upload_rounds)
    put, peer, multipart = lanes
    return [("PUT", [put, peer]), ("multipart", [multipart, peer])]


# The report


TARGETS = {"multipart": 0.7}


def ratio(ours, peer, target):
    """How many times the peer's rate ours has, and whether that is enough."""
    value = ours.rate / peer.rate
    return f"{value:.2f}" if value >= target else f"**{value:.2f}** (below {target:g})"


def ratio_table(parts):
    """Ratios of the medians, and the medians, MB/s."""
    rows = []
    for title, (ours, nginx, *caddy) in parts:
        ratios = [ratio(ours, nginx, TARGETS.get(title, 0.8))] + [ratio(ours, peer, 1) for peer in caddy]
        medians = [f"{lane.rate / 1e6:,.0f}" for lane in (ours, nginx, *caddy)]
        rows.append([title] + [*ratios, "–"][:2] + [*medians, "–"][:3])
    return report.table(["", "ours / nginx", "ours / Caddy", "ours MB/s", "nginx MB/s", "Caddy MB/s"], rows)


def lane_table(parts):
    """Every lane by itself: seconds, spread, CPU."""
    rows = []
    for title, lanes in parts:
        for lane in lanes:
            rates = [f"{rate / 1e6:,.0f}" for rate in (min(lane.rates()), max(lane.rates()))]
            rows.append([title, lane.label, f"{lane.seconds:.3f}", "–".join(rates),
                         f"{lane.cpu_per_byte * (1 << 30):.2f}"])
    return report.table(["", "server", "median s", "MB/s, least–most", "CPU s per GiB"], rows)


def memory_table(parts):
    """Our anonymous memory around each part."""
    rows = [[title, *(f"{value / MIB:.1f}" for value in lanes[0].memory_before_peak_after)] for title, lanes in parts]
    return report.table(["feedserver, RssAnon in MiB", "before", "peak", "after"], rows)


def describe(options, plan, folder, load):
    """What was measured, where and how."""
    versions = [
        "feedserver " + machine.version(str(options.server), "--version"), "nginx " + machine.version("nginx", "-v"),
        "Caddy " + machine.version("caddy", "version"), "curl " + machine.version("curl", "--version"),
        "wrk " + machine.version("wrk", "-v")]
    return (
        f"{datetime.date.today()}, {machine.cores()} cores, {machine.file_system(folder)}, load {load:.1f} at the "
        f"start; {', '.join(versions)}; `python3 Benchmarks/files.py{' --quick' if options.quick else ''}`.\n\n"
        f"Downloads: a file of {plan.file_bytes // MIB} MiB in the page cache. Uploads: {plan.upload_bytes // MIB} MiB; "
        "feedserver hashes and syncs, so nginx's PUT is followed by `sha256sum` and `sync FILE`. Everything over "
        "loopback, clients and servers on the same cores, in turns, one warm-up, then the median of "
        f"{plan.single_rounds}, {plan.eight_rounds}, {plan.range_rounds}, {plan.upload_rounds} and {plan.upload_rounds} "
        "rounds. CPU is user and system time of the server, and of `sha256sum` and `sync` where they belong.")


def run(options, plan, folder):
    """Measures everything and returns the report."""
    load = os.getloadavg()[0]
    www = folder / "www"
    www.mkdir()
    sha256 = make_file(www / FILE, plan.file_bytes)
    with contextlib.ExitStack() as stack:
        ours = stack.enter_context(Feedserver(folder, options.server))
        nginx = stack.enter_context(Nginx(folder, www))
        caddy = stack.enter_context(Caddy(folder, www))
        curl("--header", f"Authorization: Bearer {ours.token}", "--upload-file", str(www / FILE), ours.url(FILE),
             accept=("201",))
        for server in (ours, nginx, caddy):
            verify_downloads(server, folder, sha256, www / FILE)
        parts = measure_downloads(plan, [ours, nginx, caddy])
        make_file(folder / "upload.bin", plan.upload_bytes)
        parts += measure_uploads(plan, ours, nginx, folder / "upload.bin")
    return "\n\n".join(
        [describe(options, plan, folder, load), ratio_table(parts), lane_table(parts), memory_table(parts)])


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--server", type=pathlib.Path, default=HERE.parent / ".build/release/feedserver",
                        help="the feedserver to measure (default: the release build)")
    parser.add_argument("--work", default="/tmp", help="where the temporary folder is made (default: /tmp)")
    parser.add_argument("--quick", action="store_true", help="small files and few rounds; prints only")
    return parser.parse_args()


def main():
    options = parse_arguments()
    plan = Plan(options.quick)
    try:
        if not os.access(options.server, os.X_OK):
            raise BenchmarkError("there is no release build of feedserver: run make release, or use --server PATH")
        machine.require(PROGRAMS)
        machine.end_within(plan.limit_seconds)
        with machine.work_folder(options.work, plan.needed_bytes) as folder:
            text = run(options, plan, folder)
    except KeyboardInterrupt:
        sys.exit(130)
    except (BenchmarkError, OSError, subprocess.SubprocessError) as error:
        sys.exit(f"bench-files: {error}")
    print(text)
    if not options.quick:
        report.put_section(HERE / "RESULTS.md", "Files", text, title="Benchmarks")
        say("Written to Benchmarks/RESULTS.md")


if __name__ == "__main__":
    main()
