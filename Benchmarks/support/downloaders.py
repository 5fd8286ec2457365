"""The programs that download, each as a person would call it who wants to go on where something ended."""

import asyncio
import dataclasses
import os
import signal

from support import machine


@dataclasses.dataclass(frozen=True)
class Downloader:
    """A program; `arguments` come before the address, in a folder where `file.bin` is to be."""

    name: str
    program: str
    arguments: tuple
    version_flag: str = "--version"
    #: The Debian package, if it is none of ours.
    package: str | None = None

    @property
    def command(self):
        return " ".join([self.name, *self.arguments])

    @property
    def version(self):
        return machine.version(self.program, self.version_flag)

    async def start(self, url, folder):
        """Runs it; no configuration, no proxy, nothing to read from."""
        places = {name: str(folder / "home") for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")}
        environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()} | places
        return await asyncio.create_subprocess_exec(
            self.program, *self.arguments, url, cwd=folder, env=environment, stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL, start_new_session=True)


def everyone(feedclient):
    """Ours first."""
    return [
        Downloader("feedclient", str(feedclient), ("download", "--progress", "none")),
        Downloader("aria2c", "aria2c", ("-q", "-c", "-x4", "-s4", "-k1M"), package="aria2"),
        Downloader("axel", "axel", ("-q", "-n4"), package="axel"),
        Downloader("wget2", "wget2", ("-q", "-c"), package="wget2"),
        Downloader("wget", "wget", ("-q", "-c"), package="wget"),
        Downloader("curl", "curl", ("-fsS", "-C", "-", "-O"), package="curl"),
    ]


async def finish(process, seconds):
    """The exit code, or None when it took longer and was killed."""
    try:
        return await asyncio.wait_for(process.wait(), seconds)
    except TimeoutError:
        return None
    finally:
        if process.returncode is None:
            _signal(process, signal.SIGKILL)
            await process.wait()


async def interrupt(process, seconds=5):
    """Ctrl-C; a program that does not care is killed."""
    _signal(process, signal.SIGINT)
    await finish(process, seconds)


def _signal(process, number):
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        pass
