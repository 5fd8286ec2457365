#!/usr/bin/env python3
"""Posts and cold home pages on SQLite and PostgreSQL, with one and two servers, in turns on this machine; and the time
until a post on one of two servers is visible on the other.

PostgreSQL is a fresh cluster with fsync on. Ratios to SQLite go to standard output and, after a whole run, into RESULTS.md
under the heading "Database engines".
"""

import sys

sys.dont_write_bytecode = True

import argparse
import datetime
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile
import time
import urllib.request

from support.report import put_section

HERE = pathlib.Path(__file__).resolve().parent
CONNECTIONS = 32


class Server:
    """A running feedserver."""

    def __init__(self, program, data, database=None):
        options = ["--data", data] + (["--database", database] if database else [])
        self.process = subprocess.Popen(
            [program, "serve", "--port", "0", "--no-rate-limits", "--demo", "--log-level", "error", *options],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])
        self.token = subprocess.run(
            [program, "token", "create", "demo", *options], check=True, capture_output=True, text=True).stdout.strip()

    def wrk(self, script, seconds, connections, **environment):
        return subprocess.Popen(
            ["wrk", "-t", "1", "-c", str(connections), "-d", f"{seconds}s", "-s", str(HERE / "support" / script),
             f"http://127.0.0.1:{self.port}/api/v1/statuses"],
            env={**os.environ, "TOKEN": self.token, **environment}, stdout=subprocess.PIPE, text=True)

    def get(self, path):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", headers={"Authorization": "Bearer " + self.token})
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    def post(self, text):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/v1/statuses", data=("status=" + text).encode(),
            headers={"Authorization": "Bearer " + self.token})
        with urllib.request.urlopen(request) as response:
            return json.load(response)["id"]

    def newest(self):
        """The newest public status, as visitors see it."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/timelines/public?limit=1") as response:
            return json.load(response)[0]["id"]

    def stop(self):
        self.process.terminate()
        self.process.wait()


def delays(writer, reader, count):
    """The milliseconds from the response to a post until visitors of another server see it."""
    found = []
    for number in range(count):
        posted = writer.post(f"delay+{number}")
        start = time.perf_counter()
        while reader.newest() != posted:
            pass
        found.append((time.perf_counter() - start) * 1000)
    return sorted(found)


class Setup:
    """One engine with one or two servers."""

    def __init__(self, name, servers):
        self.name, self.servers = name, servers
        self.posts, self.pages = [], []

    def measure(self, script, seconds, **environment):
        share = CONNECTIONS // len(self.servers)
        runs = [server.wrk(script, seconds, share, **environment) for server in self.servers]
        total = 0.0
        for run in runs:
            text = run.communicate()[0]
            if "Non-2xx" in text:
                raise SystemExit(f"{self.name}: {text}")
            total += float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1))
        return total

    def round(self, seconds):
        self.posts.append(self.measure("post.lua", seconds))
        first = self.servers[0]
        newest = int(first.get("/api/v1/timelines/home?limit=1")[0]["id"])
        # The last ninety days, which the demo fills.
        self.pages.append(self.measure("home.lua", seconds, NEWEST=str(newest), SPAN=str((90 * 86_400_000) << 16)))


class Cluster:
    """A PostgreSQL server in a folder of its own."""

    def __init__(self, folder):
        self.folder = folder
        root = pathlib.Path("/usr/lib/postgresql")
        self.bin = str(max(root.iterdir(), key=lambda path: int(path.name)) / "bin")
        os.chmod(folder, 0o777)
        self.run("initdb", "-D", folder + "/pg", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
        self.run("pg_ctl", "-D", folder + "/pg", "-w", "-l", folder + "/pg.log", "-o",
                 f"-k {folder} -c listen_addresses= -c shared_buffers=256MB", "start")

    def run(self, program, *arguments):
        """Runs one of PostgreSQL's programs, and returns its output."""
        user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        # The output of pg_ctl would be that of the server, too.
        output = subprocess.PIPE if program == "psql" else subprocess.DEVNULL
        return subprocess.run(
            [*user, f"{self.bin}/{program}", *arguments], check=True, stdout=output, text=True).stdout

    def query(self, database, sql):
        """The rows as text."""
        return self.run("psql", "-qAt", "-h", self.folder, "-U", "postgres", "-d", database, "-c", sql)

    def create(self, name):
        self.query("postgres", f"CREATE DATABASE {name}")
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def stop(self):
        self.run("pg_ctl", "-D", self.folder + "/pg", "-m", "immediate", "stop")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--server", required=True, help="feedserver, a release build")
    options.add_argument("--before", help="an earlier feedserver, measured on SQLite in the same run")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--seconds", type=int, default=5)
    options.add_argument("--dry", action="store_true", help="do not write RESULTS.md")
    given = options.parse_args()
    folder = tempfile.mkdtemp(prefix="feed-bench-", dir="/tmp")
    cluster = Cluster(folder)
    setups = []
    try:
        one, two = cluster.create("one"), cluster.create("two")
        setups = [
            Setup("SQLite", [Server(given.server, folder + "/a")]),
            Setup("PostgreSQL, one server", [Server(given.server, folder + "/b", one)]),
            Setup("PostgreSQL, two servers", [Server(given.server, folder + "/c", two) for _ in range(2)]),
        ]
        if given.before:
            setups.append(Setup("SQLite, before", [Server(given.before, folder + "/d")]))
        for number in range(given.rounds + 1):
            for setup in setups:
                setup.round(given.seconds)
                time.sleep(0.5)
            # The first round warms up.
            if number == 0:
                for setup in setups:
                    setup.posts, setup.pages = [], []
        report(setups, delays(*setups[2].servers, 20 * given.seconds * given.rounds), given)
    finally:
        for setup in setups:
            for server in setup.servers:
                server.stop()
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


def report(setups, delay, given):
    base = setups[0]
    lines = ["|  | posts/s | ratio | cold home pages/s | ratio |", "|---|---:|---:|---:|---:|"]
    for setup in setups:
        posts, pages = statistics.median(setup.posts), statistics.median(setup.pages)
        ratios = (posts / statistics.median(base.posts), pages / statistics.median(base.pages))
        lines.append(f"| {setup.name} | {posts:,.0f} | {ratios[0]:.2f} | {pages:,.0f} | {ratios[1]:.2f} |")
    text = "\n".join(lines) + (
        f"\n\nFrom the response to a post on one server until a visitor of the other sees it: median "
        f"{statistics.median(delay):.0f} ms, p99 {delay[len(delay) * 99 // 100]:.0f} ms ({len(delay)} posts).")
    print(text)
    if given.dry:
        return
    intro = (
        f"{datetime.date.today()}, {os.cpu_count()} cores; `python3 Benchmarks/database.py`: {CONNECTIONS} connections, "
        f"{given.rounds} rounds of {given.seconds} s in turns, medians; PostgreSQL with fsync on the same machine.")
    put_section(HERE / "RESULTS.md", "Database engines", intro + "\n\n" + text, "Results")


if __name__ == "__main__":
    main()
