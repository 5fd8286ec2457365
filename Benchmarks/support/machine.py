"""The machine: programs that must be there, a folder to work in, an end that always comes."""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile


class BenchmarkError(Exception):
    """Something that makes a measurement meaningless; the text says what."""


def say(text):
    """Tells a person how far it is; results alone go to standard output."""
    print(text, file=sys.stderr, flush=True)


def require(programs):
    """Installs the Debian packages (program -> package) whose program is missing."""
    _search_system_folders()
    missing = sorted({package for program, package in programs.items() if not shutil.which(program)})
    if not missing:
        return
    if not shutil.which("apt-get"):
        raise BenchmarkError("please install: " + " ".join(missing))
    say("Installing Debian packages: " + " ".join(missing))
    _apt("update", "-qq")
    _apt("install", "-y", "-qq", "--no-install-recommends", *missing)
    _stop_services(missing)


def _search_system_folders():
    """nginx lives in a folder that is not on everybody's path."""
    os.environ["PATH"] = os.environ.get("PATH", "") + ":/usr/local/sbin:/usr/sbin:/sbin"


def _as_root():
    return [] if os.geteuid() == 0 else ["sudo"]


def _apt(*arguments):
    command = _as_root() + ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", *arguments]
    if subprocess.run(command, stdout=sys.stderr).returncode != 0:
        raise BenchmarkError("apt-get " + " ".join(arguments) + " failed")


def _stop_services(packages):
    """A server we installed for a comparison must not stay behind as a service."""
    services = [name for name in packages if name in ("nginx", "caddy")]
    if services and os.path.isdir("/run/systemd/system"):
        subprocess.run(_as_root() + ["systemctl", "disable", "--now", *services], stderr=subprocess.DEVNULL)


def output(*command):
    """What a program prints, whatever its exit code."""
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


def version(*command):
    """The version a program tells of itself: the first number with a point in what it prints."""
    found = re.search(r"\d+\.\d+(\.\d+)*", output(*command))
    return found.group(0) if found else "?"


def cores():
    """The cores this process may use."""
    return len(os.sched_getaffinity(0))


def file_system(folder):
    """The type of the file system below a folder, such as ext4."""
    result = subprocess.run(["df", "--output=fstype", str(folder)], stdout=subprocess.PIPE, text=True)
    return result.stdout.split()[-1]


def free_port():
    """A port of the loopback interface that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def work_folder(parent, needed):
    """A folder with room for `needed` bytes that goes away at the end, also after Ctrl-C."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="feed-bench-", dir=parent))
    try:
        if shutil.disk_usage(folder).free < needed:
            raise BenchmarkError(f"{needed >> 20} MiB of free space are needed; choose a folder with --work DIR")
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def end_within(seconds):
    """Turns a termination signal, a closed terminal and too long a run into an orderly end."""

    def stop(number, _):
        signal.alarm(0)
        raise BenchmarkError(f"not done after {seconds} s" if number == signal.SIGALRM else "stopped")

    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, stop)
    signal.alarm(seconds)
