"""Numbers of downloading clients into Markdown. In every ratio more is better for us."""

from support import report

MIB = 1 << 20


def ratio(ours, peer, aim=0.0, value=lambda lane: lane.seconds):
    """How many times as fast as the peer ours is, and whether that is enough."""
    if not _measured(ours) or not _measured(peer):
        return "–"
    return _judged(value(peer) / ours.seconds, aim)


def cpu_ratio(ours, peer, aim=0.0):
    """How many times our CPU time the peer needs."""
    if not _measured(ours) or not _measured(peer):
        return "–"
    return _judged(_cpu(peer) / _cpu(ours), aim)


def share(lane, ideal_seconds, aim=0.0):
    """How much of the ideal rate a lane has reached."""
    return _judged(ideal_seconds / lane.seconds, aim) if _measured(lane) else "–"


def program_seconds(lane):
    """Until the client itself has ended: nothing is hashed or synced after it."""
    return lane.median(lambda sample: sample.program_seconds)


def _cpu(lane):
    return lane.median(lambda sample: sample.cpu)


def _measured(lane):
    return lane is not None and bool(lane.samples)


def _judged(value, aim):
    return f"{value:.2f}" if value >= aim else f"**{value:.2f}** (aim {aim:.2g})"


_HEAD = ["", "median s", "quartiles", "client alone", "CPU s", "RssAnon MiB", "RSS MiB", "connections", "requests",
         "bytes / size", "failed"]


def lane_table(lanes):
    """Every lane by itself; the lanes are named by the keys."""
    return report.table(_HEAD, [[label, *_numbers(lane), _failed(lane)] for label, lane in lanes.items()])


def every_run(lanes):
    """The raw seconds of every run, and what was wrong with those that failed."""
    runs = [" ".join([f"{label}:", *(f"{sample.seconds:.3f}" for sample in lane.samples), *_told(lane)])
            for label, lane in lanes.items()]
    return "Every run, in seconds:\n\n```\n" + "\n".join(runs) + "\n```"


def _told(lane):
    return [f"({' '.join(failure.split())})" for failure in lane.failures]


def _numbers(lane):
    if not lane.samples:
        return ["–"] * (len(_HEAD) - 2)
    numbers = [
        f"{lane.seconds:.3f}", "{:.3f}–{:.3f}".format(*lane.quartiles), f"{program_seconds(lane):.3f}",
        f"{_cpu(lane):.2f}", _mebibytes(lane.median(lambda sample: sample.memory)),
        _mebibytes(lane.median(lambda sample: sample.resident))]
    return numbers + _traffic(lane)


def _traffic(lane):
    if lane.samples[0].traffic is None:
        return ["–"] * 3
    counts = [f"{lane.median(lambda sample: getattr(sample.traffic, name)):g}" for name in ("connections", "requests")]
    if lane.samples[0].traffic.bytes is None:
        return counts + ["–"]
    return counts + [f"{lane.median(lambda sample: sample.traffic.bytes / sample.bytes):.3f}"]


def _mebibytes(value):
    """A program of a few milliseconds may end before anybody looks."""
    return f"{value / MIB:.1f}" if value else "–"


def _failed(lane):
    return f"**{len(lane.failures)}**" if lane.failures else "0"
