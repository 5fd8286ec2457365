"""The report on searches."""

import datetime

from support import machine, report
from timelines.scenarios import CONNECTIONS_POSTING

#: PostgreSQL may take that many times as long.
_POSTGRES_GOAL = 4


def text(result, options, plan, load, folder):
    """The section of RESULTS.md."""
    return "\n\n".join([
        _description(result, options, plan, load, folder), _latencies(result.kinds),
        *(_sizes(*one) for one in (("SQLite", result.sizes), ("PostgreSQL", result.postgres_sizes)) if one[1]),
        _posts(result)])


def _description(result, options, plan, load, folder):
    arguments = ["--only search", "--postgres"] if options.postgres else ["--only search"]
    arguments += ["--before OLDER"] if options.before else []
    arguments += [f"--accounts {options.accounts} --statuses {options.statuses}"]
    arguments += [f"--rounds {plan.rounds}", f"--seconds {plan.seconds}"]
    return (
        f"{datetime.date.today()}, {machine.cores()} cores, {machine.file_system(folder)}, load {load:.1f} at the start; "
        f"{machine.version(str(options.server), '--version')}; `python3 Benchmarks/speed.py {' '.join(arguments)}`.\n\n"
        f"A feed of {options.accounts:,} accounts and {options.statuses:,} statuses; half of the accounts follow 150 or "
        "more. Each search is a request of its own, by one account after the other; `wrk` sends them on one connection, "
        f"with one warm-up and then {plan.rounds} rounds of {plan.seconds} s, whose medians are stated. A frequent word "
        f"is in {result.share * 100:.1f} % of the statuses. What is private to others are {result.secrets:,} direct "
        "statuses. *found* is the average number of results, of at most 20 statuses or 40 accounts or hashtags.")


def _latencies(kinds):
    rows = []
    for kind in kinds:
        goal = "–" if kind.goal is None else f"≤ {kind.goal}"
        row = [kind.title, f"{kind.found:.1f}", f"{kind.sqlite.p50:.2f}", _judged(kind.sqlite.p99, kind.goal), goal,
               f"{kind.sqlite.cpu_microseconds / 1000:.2f}"]
        if kind.postgres:
            ratios = kind.postgres.p50 / kind.sqlite.p50, kind.postgres.p99 / kind.sqlite.p99
            row += [f"{kind.postgres.p50:.2f}", f"{kind.postgres.p99:.2f}"]
            row += [_judged(ratio, _POSTGRES_GOAL) for ratio in ratios]
        rows.append(row)
    head = ["", "found", "p50 ms", "p99 ms", "goal", "CPU ms"]
    if kinds[0].postgres:
        head += ["PostgreSQL p50 ms", "p99 ms", f"ratio of p50 (goal ≤ {_POSTGRES_GOAL})", "of p99 (the same)"]
    return report.table(head, rows)


def _judged(value, most):
    return f"{value:.2f}" if most is None or value <= most else f"**{value:.2f}**"


def _sizes(engine, sizes):
    rows = [[name, f"{size / 1e6:,.0f}", f"{100 * size / sizes.texts:.0f} %"] for name, size in (
        ("full-text index", sizes.index), ("its tokens", sizes.tokens), ("table with the texts", sizes.texts),
        ("whole database", sizes.all))]
    return report.table([engine, "MB", "of the texts (goal for the index ≤ 40 %)"], rows)


def _posts(result):
    posts, found = result.posts, result.comparison
    text = (f"With SQLite, the statuses of the import were indexed while the server ran: {result.indexed:,.0f} a second. "
            f"Posts of 23 words at {CONNECTIONS_POSTING} connections: {posts.rate:,.0f} a second, "
            f"{posts.cpu_microseconds:.0f} µs of CPU each")
    if not found:
        return text + "."
    ratio = f"{found.ratio:.2f}" if found.is_reached else f"**{found.ratio:.2f}**"
    return (f"{text}; a server without the index, in turns: {found.peer.rate:,.0f} a second, "
            f"{found.peer.cpu_microseconds:.0f} µs. The ratio is {ratio} (goal ≥ {found.goal:g}).")
