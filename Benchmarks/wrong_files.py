#!/usr/bin/env python3
"""Wrong files: who says "done" over bytes that are no version of the file the server has had?

Each program downloads from a server with a bad day, and is called again, as a person would, when it says that it failed:
three times at most. What counts is the file at the end and the exit code: right, refused, WRONG (exit code 0 and other
bytes), or stuck. The table goes to standard output and, after a whole run, into WRONG-FILES.md.
"""

import sys

sys.dont_write_bytecode = True

import argparse
import asyncio
import collections
import dataclasses
import datetime
import hashlib
import pathlib
import time
from collections.abc import Callable

from support import downloaders, faultserver, machine, report
from support.faultserver import FaultServer, honest
from support.machine import BenchmarkError, say

HERE = pathlib.Path(__file__).resolve().parent
SIZE = (8 << 20) + 17
HALF = SIZE // 2
#: Seconds one call may take; axel waits 20 before it connects again.
PATIENCE = 90
CALLS = 3
OUTCOMES = RIGHT, REFUSED, WRONG, STUCK = "right", "refused", "WRONG", "stuck"

OLD = faultserver.version(1, SIZE)
NEW = faultserver.version(2, SIZE)
LONGER = faultserver.version(3, SIZE + (1 << 20))


@dataclasses.dataclass(frozen=True)
class Scenario:
    """A bad day. `between` is the file that is there when an interrupted download is taken up."""

    title: str
    explanation: str
    answer: Callable = honest
    #: Whether all connections end when half of the file is out, and what is there from then on.
    is_cut: bool = True
    then: faultserver.Version | None = None
    between: faultserver.Version | None = None

    def server(self):
        if self.between:
            return FaultServer(OLD, self.answer, silent_at=HALF)
        return FaultServer(OLD, self.answer, cut_at=HALF if self.is_cut else None, then=self.then)


SCENARIOS = [
    Scenario("cut body", "All connections end when half of the file is out; then the server is as good as new."),
    Scenario("replaced mid-way", "The same, and behind the cut is another file of the same length.", then=NEW),
    Scenario("replaced between runs", "Ctrl-C at half; when the program is called again, another file of the same length "
             "is there.", between=NEW),
    Scenario("grown between runs", "The same with a longer file.", between=LONGER),
    Scenario("If-Range ignored", "Replaced between runs, and the server answers 206 whatever If-Range says.",
             faultserver.ignoring_if_range, between=NEW),
    Scenario("early 206", "After a cut, parts begin 1000 bytes before what was asked for, and say so.",
             faultserver.early),
    Scenario("short 206", "After a cut, parts have 500,000 bytes at most, and say so.", faultserver.short),
    Scenario("lying total", "After a cut, Content-Range names a total that is 1000 bytes too large.",
             faultserver.lying_about_total),
    Scenario("gzip on a range", "After a cut, parts are parts of the compressed file, under the same ETag.",
             faultserver.compressed),
]


def judge(path):
    """What exit code 0 was said about."""
    try:
        digest = hashlib.sha256(path.read_bytes()).digest()
    except OSError:
        return WRONG
    return RIGHT if any(hashlib.sha256(one.data).digest() == digest for one in (OLD, NEW, LONGER)) else WRONG


async def interrupted(program, server, folder):
    """The first run of two: until the server is silent, and a moment for the program to write down what it has."""
    process = await program.start(server.url, folder)
    deadline = time.monotonic() + PATIENCE
    try:
        while not server.is_silent and process.returncode is None and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
        await asyncio.sleep(1.5)
    finally:
        await downloaders.interrupt(process)


async def attempt(program, scenario, folder):
    """One download, however many calls it takes."""
    folder.mkdir()
    async with scenario.server() as server:
        if scenario.between:
            await interrupted(program, server, folder)
            server.wake(scenario.between)
        for _ in range(CALLS):
            code = await downloaders.finish(await program.start(server.url, folder), PATIENCE)
            if code is None:
                return STUCK
            if code == 0:
                return judge(folder / "file.bin")
    return REFUSED


async def count(programs, scenarios, rounds, folder, at_once):
    """Outcomes by program and scenario."""
    found = collections.defaultdict(collections.Counter)
    turns = asyncio.Semaphore(at_once)

    async def one(program, scenario, number):
        async with turns:
            outcome = await attempt(program, scenario, folder / f"{program.name}-{scenario.title}-{number}")
        found[program.name, scenario.title][outcome] += 1

    for scenario in scenarios:
        say(f"{scenario.title}: {rounds} rounds")
        await asyncio.gather(*(one(program, scenario, number) for number in range(rounds) for program in programs))
    return found


# The report


def cell(outcomes):
    """`right`, or `WRONG 3, right 2` when rounds differ."""
    parts = [(outcome, outcomes[outcome]) for outcome in OUTCOMES if outcomes[outcome]]
    text = parts[0][0] if len(parts) == 1 else ", ".join(f"{outcome} {times}" for outcome, times in parts)
    return f"**{text}**" if outcomes[WRONG] else text


def table(programs, scenarios, found, rounds):
    rows = []
    for scenario in scenarios:
        rows.append([scenario.title, *(cell(found[one.name, scenario.title]) for one in programs)])
    totals = [sum(found[one.name, scenario.title][WRONG] for scenario in scenarios) for one in programs]
    rows.append([f"wrong files of {rounds * len(scenarios)}", *(str(total) for total in totals)])
    return report.table(["", *(one.name for one in programs)], rows)


def describe(programs, rounds):
    lines = [
        f"{datetime.date.today()}; a file of {SIZE:,} bytes over loopback, {rounds} rounds each; "
        "`python3 Benchmarks/wrong_files.py`.",
        "Right: exit code 0 and a file the server really has had, by SHA-256. Refused: another exit code, also after "
        f"{CALLS} calls. WRONG: exit code 0 over other bytes. Stuck: one call took more than {PATIENCE} seconds.",
        "\n".join(f"- {one.name} {one.version}: `{one.command} URL`" for one in programs)]
    return "\n\n".join(lines)


def explain(programs, scenarios, found):
    lines = [f"- {scenario.title}: {scenario.explanation}" for scenario in scenarios]
    for one in programs:
        if found[one.name, "cut body"][WRONG]:
            lines.append(f"- {one.name} says \"done\" when a body is cut: its other wrong files may have no other cause.")
    return "\n".join(lines)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--feedclient", type=pathlib.Path, default=HERE.parent / ".build/release/feedclient",
                        help="the feedclient to look at (default: the release build)")
    parser.add_argument("--work", default="/tmp", help="where the temporary folder is made (default: /tmp)")
    parser.add_argument("--rounds", type=int, default=5, help="how often everything is done (default: 5)")
    parser.add_argument("--at-once", type=int, default=12, help="downloads at once (default: 12)")
    parser.add_argument("--only", action="append", metavar="NAME", help="this program or scenario; prints only")
    return parser.parse_args()


def chosen(all_of_them, name, only):
    """Those that are asked for by name, or all when none is."""
    picked = [one for one in all_of_them if name(one) in (only or [])]
    return picked or all_of_them


def main():
    options = parse_arguments()
    try:
        client = options.feedclient.resolve()
        if not client.exists():
            raise BenchmarkError("there is no release build of feedclient: run make release, or use --feedclient PATH")
        programs = chosen(downloaders.everyone(client), lambda one: one.name, options.only)
        scenarios = chosen(SCENARIOS, lambda one: one.title, options.only)
        machine.require({one.program: one.package for one in programs if one.package})
        with machine.work_folder(options.work, 2 * SIZE * len(programs) * len(scenarios) * options.rounds) as folder:
            found = asyncio.run(count(programs, scenarios, options.rounds, folder, options.at_once))
    except KeyboardInterrupt:
        sys.exit(130)
    except (BenchmarkError, OSError) as error:
        sys.exit(f"wrong-files: {error}")
    text = "\n\n".join(
        [describe(programs, options.rounds), table(programs, scenarios, found, options.rounds), explain(programs, scenarios, found)])
    print(text)
    if not options.only:
        (HERE / "WRONG-FILES.md").write_text(f"# Wrong files\n\n{text}\n")
        say("Written to Benchmarks/WRONG-FILES.md")


if __name__ == "__main__":
    main()
