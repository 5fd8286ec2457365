"""A data folder with a large feed, made by `feedserver import` and kept between runs."""

import concurrent.futures
import contextlib
import dataclasses
import hashlib
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile
import time

from support.machine import BenchmarkError, cores, say
from timelines.servers import TimelineServer

DATABASE = "feed.sqlite"
#: Bytes of disk per status and, for its follows, per account.
_STATUS_BYTES, _ACCOUNT_BYTES = 1500, 60_000


@dataclasses.dataclass
class Feed:
    """A kept folder, which nobody changes: servers get copies."""

    path: pathlib.Path
    #: The token of each reader, and the token of each post's author, in turn.
    readers: list
    writers: list
    #: How long its search index took, with the database in memory where there was room.
    indexing_seconds: float

    @property
    def bytes(self):
        return (self.path / DATABASE).stat().st_size

    @property
    def span(self):
        """The lowest and the highest id of a status."""
        with contextlib.closing(sqlite3.connect(f"file:{self.path / DATABASE}?immutable=1", uri=True)) as database:
            return database.execute("SELECT min(id), max(id) FROM status").fetchone()

    def copy(self, target):
        """A copy to write to; no bytes are copied where the file system can avoid it."""
        target.mkdir(mode=0o700, parents=True)
        subprocess.run(["cp", "--reflink=auto", self.path / DATABASE, target], check=True)
        return target


def prepare(program, population, cache):
    """The kept folder of this population for the schema of `program`; made first if there is none."""
    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder = cache / f"{population.key}-{_schema(program)}"
    if not folder.exists():
        with tempfile.TemporaryDirectory(prefix="making-", dir=cache) as temporary:
            made = pathlib.Path(temporary) / "data"
            _make(program, population, made)
            os.replace(made, folder)
    readers, writers = ((folder / name).read_text().split() for name in ("readers", "writers"))
    return Feed(folder, readers, writers, float((folder / "indexing").read_text()))


def _make(program, population, target):
    needed = population.statuses * _STATUS_BYTES + population.accounts * _ACCOUNT_BYTES
    with _quick_folder(target.parent, needed) as folder:
        start = time.monotonic()
        say(f"Making a feed of {population.accounts:,} accounts and {population.statuses:,} statuses, once")
        population.write(folder / "feed.ndjson")
        _run(program, "import", folder / "feed.ndjson", "--data", folder / "data")
        (folder / "feed.ndjson").unlink()
        say(f"Imported after {time.monotonic() - start:.0f} s; creating tokens")
        _create_tokens(program, population, folder / "data")
        say("Waiting for the search index")
        _index(program, folder)
        _settle(folder / "data" / DATABASE)
        shutil.copytree(folder / "data", target)
        say(f"Made in {time.monotonic() - start:.0f} s; kept in {target.parent.parent}")


@contextlib.contextmanager
def _quick_folder(parent, needed):
    """In memory if it has room: an import syncs thousands of times, and nothing is measured yet."""
    memory = pathlib.Path("/dev/shm")
    room = memory.is_dir() and shutil.disk_usage(memory).free > 4 * needed
    if not room and shutil.disk_usage(parent).free < 3 * needed:
        raise BenchmarkError(f"{3 * needed >> 20} MiB of free space are needed; choose a folder with --cache DIR")
    with tempfile.TemporaryDirectory(prefix="feed-bench-", dir=memory if room else parent) as folder:
        yield pathlib.Path(folder)


def _create_tokens(program, population, data):
    accounts = sorted(set(population.reading()) | set(population.writing()))

    def create(account):
        return _run(program, "token", "create", population.name(account), "--data", data).strip()

    with concurrent.futures.ThreadPoolExecutor(cores()) as pool:
        tokens = dict(zip(accounts, pool.map(create, accounts)))
    for name, chosen in (("readers", population.reading()), ("writers", population.writing())):
        (data / name).write_text("\n".join(tokens[account] for account in chosen) + "\n")


def _index(program, folder):
    with TimelineServer(folder, program, folder / "data") as server:
        (folder / "data" / "indexing").write_text(str(server.wait_until_indexed()))


def _schema(program):
    """Identifies the schema that `program` creates, so that a new one gets a new folder."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "nothing").touch()
        _run(program, "import", f"{folder}/nothing", "--data", f"{folder}/data")
        with contextlib.closing(sqlite3.connect(f"{folder}/data/{DATABASE}")) as database:
            rows = database.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY sql").fetchall()
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:12]


def _settle(path):
    """Merges the search index, as every server does once a day and none should while it is measured, and moves the
    write-ahead log into the file, so that one file is the whole feed."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        for table, in database.execute("SELECT name FROM sqlite_schema WHERE sql LIKE '%USING fts5(%'").fetchall():
            database.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _run(program, *arguments):
    result = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    if result.returncode != 0:
        raise BenchmarkError(f"feedserver {arguments[0]}: {result.stderr.strip()[-500:]}")
    return result.stdout
