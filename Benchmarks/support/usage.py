"""What a program costs: CPU seconds and memory, read from /proc."""

import contextlib
import os
import pathlib
import threading

_TICKS = os.sysconf("SC_CLK_TCK")


def _stat(pid):
    """The fields of /proc/PID/stat from the state on, or None when the process is gone."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    return text.rpartition(")")[2].split()


def family(root):
    """The process and all its living descendants."""
    children = {}
    for entry in os.listdir("/proc"):
        fields = _stat(entry) if entry.isdigit() else None
        if fields:
            children.setdefault(int(fields[1]), []).append(int(entry))
    found = [root]
    for pid in found:
        found.extend(children.get(pid, []))
    return found


def cpu_seconds(pids):
    """User and system time of the processes, with that of their children that have ended."""
    ticks = 0
    for fields in filter(None, map(_stat, pids)):
        ticks += sum(int(field) for field in fields[11:15])
    return ticks / _TICKS


def thread_seconds(pid, prefix):
    """CPU time of the process's living threads whose names begin with a prefix."""
    total = 0
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(OSError):
            if (task / "comm").read_text().startswith(prefix):
                total += int((task / "schedstat").read_text().split()[0])
    return total / 1e9


def memory(pid):
    """Resident bytes that are the process's own (no files, no page cache), and the most of all kinds there were."""
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    fields = {name: rest.split() for name, _, rest in (line.partition(":") for line in lines)}
    try:
        return tuple(int(fields[name][0]) * 1024 for name in ("RssAnon", "VmHWM"))
    except KeyError:
        raise OSError("the process has ended") from None


class PeakMemory:
    """Samples the memory of processes while a block runs, and keeps the largest sum; they may end meanwhile."""

    _INTERVAL = 0.02

    def __init__(self, *pids):
        self._pids = pids
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self.before = self.peak = self.after = 0
        #: The most resident bytes of all kinds since the process began.
        self.resident = 0

    def __enter__(self):
        self._look()
        self.before = self.after
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._done.set()
        self._thread.join()
        self._look()

    def _sample(self):
        while not self._done.wait(self._INTERVAL):
            self._look()

    def _look(self):
        known = []
        for pid in self._pids:
            with contextlib.suppress(OSError):
                known.append(memory(pid))
        if known:
            self.after, self.resident = map(sum, zip(*known))
            self.peak = max(self.peak, self.after)
