#!/usr/bin/env python3
"""feedclient's reader: how soon it shows what is stored, and what a key costs in a long list.

10,000 statuses are stored, and the server is stopped. The reader is opened in a pseudo-terminal of 120 columns and 40 rows,
from exec to the first status on the screen. Then the whole list is loaded from the disk, and keys move through it: the CPU
time of the process and the bytes that it writes, per key, and its memory. Results go to standard output and into RESULTS.md
under the heading "The reader".
"""

import sys

sys.dont_write_bytecode = True

import argparse
import datetime
import fcntl
import os
import pathlib
import pty
import re
import select
import signal
import statistics
import struct
import subprocess
import termios
import time

from support.machine import BenchmarkError, cores, end_within, say, work_folder
from support.report import put_section, table
from support.servers import Feedserver
from support.usage import cpu_seconds, memory
from timeline_store import Sample, write_feed

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS, ROWS = 120, 40
#: The time without output after which the reader is idle, in seconds.
QUIET = 0.1
#: The time between two parts of an answer at most, in seconds.
PAUSE = 0.01
DEADLINE = 30


class Screen:
    """What a terminal shows of output with positions (CUP), text, and sequences that move nothing."""

    _PARTS = re.compile(r"\x1b\[(\d+);(\d+)H|\x1b\[2J|\x1b\[[?0-9;]*[A-Za-z]|([^\x1b])|\x1b")

    def __init__(self):
        self.rows = [[" "] * COLUMNS for _ in range(ROWS)]
        self._row = self._column = 0

    def feed(self, text):
        for part in self._PARTS.finditer(text):
            if part[1]:
                self._row, self._column = int(part[1]) - 1, int(part[2]) - 1
            elif part[3] and self._row < ROWS and self._column < COLUMNS:
                self.rows[self._row][self._column] = part[3]
                self._column += 1

    def text(self):
        return "\n".join("".join(row).rstrip() for row in self.rows)


class Reader:
    """The reader in a pseudo-terminal."""

    def __init__(self, binary, environment):
        self.screen, self.written = Screen(), 0
        self._begin = time.perf_counter()
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:
            size = struct.pack("HHHH", ROWS, COLUMNS, 0, 0)
            fcntl.ioctl(1, termios.TIOCSWINSZ, size)
            os.execve(binary, [binary, "tui"], environment)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.kill(self.pid, signal.SIGTERM)
        os.waitpid(self.pid, 0)
        os.close(self._terminal)

    def wait_for(self, text):
        """The seconds from exec until the screen shows a text."""
        while text not in self.screen.text():
            if not self._read(DEADLINE):
                raise BenchmarkError(f"the reader does not show {text}:\n{self.screen.text()}")
        return time.perf_counter() - self._begin

    def press(self, keys):
        """Presses keys, and waits until the reader is idle."""
        os.write(self._terminal, keys.encode())
        while self._read(QUIET):
            pass

    def answer(self, key):
        """Presses a key, and waits for the answer, which may come in parts."""
        os.write(self._terminal, key.encode())
        if not self._read(DEADLINE):
            raise BenchmarkError(f"no answer to {key!r}")
        while self._read(PAUSE):
            pass

    def _read(self, seconds):
        if not select.select([self._terminal], [], [], seconds)[0]:
            return False
        data = os.read(self._terminal, 1 << 16)
        self.written += len(data)
        self.screen.feed(data.decode(errors="replace"))
        return True


def environment(folder, server):
    names = ("config", "state", "cache")
    places = {f"XDG_{name.upper()}_HOME": str(folder / name) for name in names}
    return {**os.environ, **places, "FEEDCLIENT_SERVER": server.address, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}


def opening(given, variables):
    """Milliseconds from exec to the first status, of each run."""
    found = []
    for _ in range(given.runs):
        with Reader(given.client, variables) as reader:
            found.append(reader.wait_for("Author") * 1000)
    return found


def moving(given, variables):
    """What a key costs, by the name of the key: milliseconds of CPU, and bytes; and the memory in MB."""
    found = {}
    with Reader(given.client, variables) as reader:
        reader.wait_for("Author")
        # Each time, the next entries are read from the disk.
        while " 0: " not in "\n " + reader.screen.text():
            reader.press("G")
        for name, keys in (("down and up", "kj"), ("a page", "\x02\x06"), ("first and last", "gG")):
            cpu, written = cpu_seconds([reader.pid]), reader.written
            for number in range(given.keys):
                reader.answer(keys[number % len(keys)])
            reader.press("")
            found[name] = ((cpu_seconds([reader.pid]) - cpu) * 1000 / given.keys,
                           (reader.written - written) / given.keys)
        return found, memory(reader.pid)[0] / 1e6


def report(given, opened, keys, megabytes):
    rows = [[name, f"{cpu:.2f}", f"{written:.0f}"] for name, (cpu, written) in keys.items()]
    text = (
        f"A list of {given.statuses:,} stored statuses in {COLUMNS} × {ROWS} cells, {given.keys} keys each (aim 10 ms of "
        "CPU):\n\n" + table(["keys", "ms of CPU per key", "bytes per key"], rows) +
        f"\n\nFrom exec to the first status, without a server: {statistics.median(opened):.0f} ms, at most "
        f"{max(opened):.0f} ms in {len(opened)} runs (aim 100). Memory with the whole list: {megabytes:.0f} MB (aim 60).")
    print(text)
    if not given.dry:
        intro = f"{datetime.date.today()}, {cores()} cores; `python3 Benchmarks/reader.py`. "
        put_section(HERE / "RESULTS.md", "The reader", intro + text, "Benchmarks")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--server", required=True, help="feedserver, a release build")
    options.add_argument("--client", required=True, help="feedclient, a release build")
    options.add_argument("--statuses", type=int, default=10_000, help="stored statuses, at most 10,000")
    options.add_argument("--keys", type=int, default=200, help="keys of each kind")
    options.add_argument("--runs", type=int, default=11, help="times that the reader is opened")
    options.add_argument("--work", default="/tmp", help="a folder for temporary files")
    options.add_argument("--dry", action="store_true", help="do not write RESULTS.md")
    given = options.parse_args()
    given.server, given.client = (str(pathlib.Path(path).resolve()) for path in (given.server, given.client))
    try:
        end_within(900)
        with work_folder(given.work, 1 << 30) as folder:
            write_feed(folder / "feed.ndjson", given.statuses)
            data = folder / Feedserver.name / "data"
            data.parent.mkdir()
            imported = subprocess.run(
                [given.server, "import", str(folder / "feed.ndjson"), "--data", str(data)], capture_output=True, text=True)
            if imported.returncode != 0:
                raise BenchmarkError("feedserver import: " + imported.stderr.strip())
            with Feedserver(folder, given.server) as server:
                variables = environment(folder, server)
                Sample([given.client, "timeline", "public", "--json", "-n", str(given.statuses)], variables,
                       folder / "output")
            say("opening")
            opened = opening(given, variables)
            say("moving")
            report(given, opened, *moving(given, variables))
    except KeyboardInterrupt:
        sys.exit(130)
    except (BenchmarkError, OSError, subprocess.SubprocessError) as error:
        sys.exit(f"reader: {error}")


if __name__ == "__main__":
    main()
