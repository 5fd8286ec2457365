"""The report: ratios with their goals, and every contestant by itself."""

import datetime

from support import machine, report
from timelines.scenarios import WRITES

MIB = 1 << 20


def text(comparisons, startup, options, plan, load, folder):
    """The section of RESULTS.md."""
    compared = [_details(comparisons), "Every run, in requests per second:", _runs(comparisons)] if comparisons else []
    return "\n\n".join([
        _description(options, plan, load, folder), *([_ratios(comparisons)] if comparisons else []),
        *([startup.text] if startup else []), *compared])


def _command(plan):
    """The command of this run, without options that it does not say anything about."""
    return f"python3 Benchmarks/speed.py --rounds {plan.rounds} --seconds {plan.seconds} --pages {plan.pages}"


def _description(options, plan, load, folder):
    versions = [machine.version(str(options.server), "--version"),
                "nginx " + machine.version("nginx", "-v"), "wrk " + machine.version("wrk", "-v")]
    return (
        f"{datetime.date.today()}, {machine.cores()} cores, {machine.file_system(folder)}, load {load:.1f} at the "
        f"start; {', '.join(versions)}; `{_command(plan)}`.\n\n"
        f"A feed of {options.accounts:,} accounts and {options.statuses:,} statuses; half of the accounts follow 150 "
        f"or more. `wrk -t1 -c64` on the same machine, all in turns, one warm-up, then the median of {plan.rounds} "
        f"rounds of {plan.seconds} s. feedserver runs as for its users, with rate limits (so high that none is "
        "reached) and with its access log, which goes to a file; nginx has two workers, sendfile, open_file_cache and "
        "no log, and serves the bodies of feedserver from files, with the same headers. For the home timelines of all "
        "users, and while posts are written, the page cache is raised to 256 MiB so that it holds them. A cold page "
        f"is one of {plan.pages:,} that are requested in turn with the smallest cache, so that all of them are "
        "computed. What it costs beyond statements and request is its CPU time less that of C and that of a request for "
        "a page in the cache that does not take the shortcut of stored responses. Part of that is the query itself, "
        "since feedserver decodes the rows, on its reader threads; what is left for the event loops is stated, too.\n\n"
        "C is `peers/replay.c`: it executes the statements that feedserver executed for the same pages, or for a post, "
        "with the same values and settings; it knows neither HTTP nor JSON. Pages: one thread per core. Posts: one "
        "transaction each, one connection per thread, threads queue for a mutex. Posts while others read: "
        f"{WRITES} a second, by authors chosen by their number of followers; *quiet* is the same server without them. CPU "
        "is user and system time of the server (or of the C program) per request, posts beside it included; RssAnon "
        "is the most that was seen; fsyncs are counted by `peers/fsyncs.c`.")


def _ratios(comparisons):
    rows = []
    for one in comparisons:
        goal = "–" if one.goal is None else f"≥ {one.goal:g}"
        rows.append([one.title, one.peer_name, _judged(one.ratio, one.is_reached), goal, _spread(one),
                     f"{one.ours.rate:,.0f}", f"{one.peer.rate:,.0f}"])
        rows += [[f"… {what}", "", _judged(value, most is None or value <= most),
                  "–" if most is None else f"≤ {most:g}", "", "", ""] for what, value, most in one.limits]
    return report.table(["", "against", "ratio", "goal", "least–most", "ours/s", "peer/s"], rows)


def _judged(value, is_enough):
    return f"{value:.2f}" if is_enough else f"**{value:.2f}**"


def _spread(comparison):
    """The lowest and the highest ratio of two neighboring runs."""
    ratios = [ours / peer for ours, peer in zip(comparison.ours.rates, comparison.peer.rates)]
    return f"{min(ratios):.2f}–{max(ratios):.2f}"


def _contestants(comparisons):
    return {side.label: side for one in comparisons for side in (one.ours, one.peer)}.values()


def _details(comparisons):
    rows = [
        [one.label, f"{one.rate:,.0f}", f"{min(one.rates):,.0f}–{max(one.rates):,.0f}", f"{one.p50:.2f}",
         f"{one.p99:.2f}", f"{one.bytes_per_request:,.0f}" if one.bytes_per_request else "–",
         f"{one.cpu_microseconds:.1f}", "–" if one.memory is None else f"{one.memory / MIB:.0f}",
         f"{one.fsyncs_per_request:.3f}"]
        for one in _contestants(comparisons)]
    head = ["", "requests/s", "least–most", "p50 ms", "p99 ms", "bytes", "CPU µs", "RssAnon MiB", "fsyncs per request"]
    return report.table(head, rows)


def _runs(comparisons):
    lines = [f"{one.label}: {' '.join(f'{rate:.0f}' for rate in one.rates)}" for one in _contestants(comparisons)]
    return "```\n" + "\n".join(lines) + "\n```"
