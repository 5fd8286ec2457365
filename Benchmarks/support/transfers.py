"""Transfers of files: each returns a `Sample`, and raises `BenchmarkError` when a byte is not as it should be."""

import hashlib
import os
import pathlib
import re
import resource
import subprocess
import time

from support import machine
from support.lanes import Sample
from support.machine import BenchmarkError

MIB = 1 << 20
#: The file that is downloaded.
FILE = "file.bin"
_RANGES = pathlib.Path(__file__).with_name("ranges.lua")


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


def settle(path):
    """Puts a file out of the page cache and reads it back: the size of the writes that made it decides how the kernel
    holds it in memory, and so how fast anybody can send it."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        while file.read(MIB):
            pass


def freshen(path):
    """Changes the first bytes, so that no server has seen the file before; returns the new SHA-256."""
    with open(path, "r+b") as file:
        file.write(os.urandom(16))
    return sha256_of(path)


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
         f"{seconds}s", "--timeout", "10s", "--script", str(_RANGES), server.url(FILE), "--",
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


def upload_nginx(server, source, name, hasher):
    """WebDAV PUT, then hashing and syncing what it has written; the helpers' CPU time counts.

    `hasher` is a command that takes a path and prints the SHA-256 first.
    """
    sha256 = freshen(source)
    os.sync()
    target = server.uploads / name
    start = time.monotonic()
    curl("--upload-file", str(source), server.upload_url(name), accept=("201",))
    helpers = children_cpu()
    printed = subprocess.run([*hasher, str(target)], check=True, stdout=subprocess.PIPE, text=True).stdout
    subprocess.run(["sync", str(target)], check=True)
    seconds, helpers = time.monotonic() - start, children_cpu() - helpers
    expect(printed.split()[0], sha256, "SHA-256 of the upload")
    target.unlink()
    return Sample(seconds, os.path.getsize(source), helpers)


def children_cpu():
    """CPU time of the programs we ran that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
