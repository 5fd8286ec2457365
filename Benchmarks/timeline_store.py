#!/usr/bin/env python3
"""feedclient's stored timelines: how soon the first page appears offline, and what reading a long timeline costs.

A feed with 100,000 public statuses is read completely, so that all are stored. Then `feedclient timeline --offline` prints
40 of them, in turns with `toot --version`, which does nothing but start; both are measured from exec to exit. Another
account reads 12,000 statuses from the server. Results go to standard output and into RESULTS.md under the heading
"Stored timelines".
"""

import sys

sys.dont_write_bytecode = True

import argparse
import datetime
import json
import os
import pathlib
import statistics
import subprocess
import time

from support.machine import BenchmarkError, cores, end_within, require, say, work_folder
from support.report import put_section, table
from support.servers import Feedserver

HERE = pathlib.Path(__file__).resolve().parent
#: The maximum of `timeline -n`.
PART = 10_000
AUTHORS = 200
WORDS = "wind water harbour winter letter garden bridge coffee morning railway island paper".split()


def write_feed(path, count):
    """An import file with public statuses of many authors, a minute apart."""
    begin = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
    with open(path, "w", encoding="utf-8") as file:
        for number in range(AUTHORS):
            print(json.dumps({"kind": "account", "username": f"author{number}", "display_name": f"Author {number}"}),
                  file=file)
        for number in range(count):
            text = " ".join(WORDS[(number * step) % len(WORDS)] for step in range(1, 25))
            created = (begin + datetime.timedelta(minutes=number)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
            print(json.dumps({"kind": "status", "n": number + 1, "author": f"author{number % AUTHORS}",
                              "created_at": created, "text": f"{number}: {text}", "visibility": "public"}), file=file)


class Sample:
    """What one run of a program took: seconds, seconds of CPU, MB at most."""

    def __init__(self, command, environment, output):
        begin = time.perf_counter()
        with open(output, "wb") as target:
            done = subprocess.run(command, stdout=target, stderr=subprocess.PIPE, env=environment)
        self.seconds = time.perf_counter() - begin
        if done.returncode != 0:
            raise BenchmarkError(f"{' '.join(map(str, command))}: {done.stderr.decode(errors='replace').strip()}")
        self.cpu = self.memory = 0.0

    @classmethod
    def with_usage(cls, command, environment, output):
        """Runs the program below GNU time: the memory of a process that Python starts itself includes Python's own."""
        usage = pathlib.Path(str(output) + ".usage")
        sample = cls(["time", "--output", str(usage), "--format", "%U %S %M", *command], environment, output)
        user, system, kibibytes = usage.read_text().split()
        sample.cpu, sample.memory = float(user) + float(system), int(kibibytes) * 1024 / 1e6
        return sample


class Client:
    """feedclient with folders of its own, logged in to a server."""

    def __init__(self, binary, folder, server):
        self.binary, self.folder = binary, folder
        folder.mkdir()
        self.environment = {**os.environ, "XDG_CONFIG_HOME": str(folder / "config"),
                            "XDG_STATE_HOME": str(folder / "state"), "XDG_CACHE_HOME": str(folder / "cache")}
        login = subprocess.run(
            [binary, "login", server.address, "--token-stdin"], input=server.token + "\n", text=True,
            capture_output=True, env=self.environment)
        if login.returncode != 0:
            raise BenchmarkError("feedclient login: " + login.stderr.strip())

    def timeline(self, *options):
        return Sample.with_usage(
            [self.binary, "timeline", "public", "--json", *options], self.environment, self.folder / "output")

    def read(self, count):
        """Reads that many statuses, in as many commands as necessary."""
        samples, options = [], []
        while count > 0:
            part = min(PART, count)
            samples.append(self.timeline("-n", str(part), *options))
            lines = (self.folder / "output").read_bytes().splitlines()
            if len(lines) != part:
                raise BenchmarkError(f"{len(lines)} statuses instead of {part}")
            options, count = ["--before", json.loads(lines[-1])["id"]], count - part
        return samples


def offline(client, toot, runs):
    """Samples of both programs, in turns, and their memory; the first of each only fills the caches."""
    command = [client.binary, "timeline", "public", "--offline", "-n", "40"]
    found = {"feedclient timeline --offline": [], "toot --version": []}
    page = client.folder / "page"
    memory = {"feedclient timeline --offline": Sample.with_usage(command, client.environment, page).memory}
    if toot:
        memory["toot --version"] = Sample.with_usage([toot, "--version"], os.environ, client.folder / "ignored").memory
    for number in range(runs + 1):
        ours = Sample(command, client.environment, client.folder / "page")
        theirs = Sample([toot, "--version"], os.environ, client.folder / "ignored") if toot else None
        if number > 0:
            found["feedclient timeline --offline"].append(ours)
            if theirs:
                found["toot --version"].append(theirs)
    shown = (client.folder / "page").read_text(encoding="utf-8").count("@author")
    if shown != 40:
        raise BenchmarkError(f"{shown} statuses instead of 40")
    return {name: (samples, memory[name]) for name, samples in found.items() if samples}


def row(name, samples, memory):
    times = sorted(sample.seconds * 1000 for sample in samples)
    return [f"`{name}`", f"{statistics.median(times):.1f}", f"{times[0]:.1f}", f"{times[-1]:.1f}",
            f"{memory:.0f}"]


def report(given, all_stored, sync, offline_samples):
    memory = max(sample.memory for sample in all_stored + sync)
    seconds, cpu = (sum(getattr(sample, name) for sample in sync) for name in ("seconds", "cpu"))
    text = (
        f"40 statuses of {given.statuses:,} stored ones, from exec to exit, {given.runs} runs in turns (aim 30 ms):\n\n" +
        table(["", "median ms", "least ms", "most ms", "most MB"],
              [row(name, *found) for name, found in offline_samples.items()]) +
        f"\n\nReading {given.sync:,} statuses from a server on the same machine and storing them: {cpu:.2f} s of CPU in "
        f"feedclient (aim 2 s), {seconds:.1f} s altogether. Memory at most, of commands that read 10,000: {memory:.0f} "
        "MB (aim 60).")
    print(text)
    if not given.dry:
        intro = f"{datetime.date.today()}, {cores()} cores; `python3 Benchmarks/timeline_store.py`. "
        put_section(HERE / "RESULTS.md", "Stored timelines", intro + text, "Benchmarks")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--server", required=True, help="feedserver, a release build")
    options.add_argument("--client", required=True, help="feedclient, a release build")
    options.add_argument("--toot", help="the path of toot")
    options.add_argument("--statuses", type=int, default=100_000, help="stored statuses")
    options.add_argument("--sync", type=int, default=12_000, help="statuses of the second account")
    options.add_argument("--runs", type=int, default=41, help="of each program")
    options.add_argument("--work", default="/tmp", help="a folder for temporary files")
    options.add_argument("--dry", action="store_true", help="do not write RESULTS.md")
    given = options.parse_args()
    given.server, given.client = (str(pathlib.Path(path).resolve()) for path in (given.server, given.client))
    try:
        require({"time": "time"})
        end_within(1800)
        with work_folder(given.work, 2 << 30) as folder:
            say("the feed")
            write_feed(folder / "feed.ndjson", given.statuses)
            data = folder / Feedserver.name / "data"
            data.parent.mkdir()
            imported = subprocess.run(
                [given.server, "import", str(folder / "feed.ndjson"), "--data", str(data)], capture_output=True, text=True)
            if imported.returncode != 0:
                raise BenchmarkError("feedserver import: " + imported.stderr.strip())
            with Feedserver(folder, given.server) as server:
                client = Client(given.client, folder / "client", server)
                say(f"{given.statuses:,} statuses are stored")
                all_stored = client.read(given.statuses)
                say(f"{given.sync:,} statuses")
                sync = Client(given.client, folder / "second", server).read(given.sync)
            say("offline")
            report(given, all_stored, sync, offline(client, given.toot, given.runs))
    except KeyboardInterrupt:
        sys.exit(130)
    except (BenchmarkError, OSError, subprocess.SubprocessError) as error:
        sys.exit(f"timeline_store: {error}")


if __name__ == "__main__":
    main()
