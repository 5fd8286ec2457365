"""What a server asks SQLite for, so that replay.c can ask for the same: recorded by record.c while the server runs."""

import contextlib
import dataclasses
import re
import sqlite3
import time

from support.machine import BenchmarkError
from timelines.folder import DATABASE
from timelines.servers import TimelineServer

#: Statements that every transaction has.
_FRAME = ("BEGIN", "COMMIT", "PRAGMA", "SAVEPOINT", "RELEASE")
#: Seconds without requests, to learn what the server executes by itself.
_IDLE = 2.5


@dataclasses.dataclass
class Execution:
    sql: str
    #: As in the recording: "i 1", "t 6869", "n".
    values: list


@dataclasses.dataclass
class Transaction:
    """From BEGIN to COMMIT on one connection."""

    reads: bool
    executions: list

    @property
    def texts(self):
        return {one.sql for one in self.executions if not one.sql.startswith(_FRAME)}


class Recorder:
    """A running server whose statements are written down."""

    def __init__(self, folder, program, data, peers, limits=None):
        self._file = folder / "statements"
        self._server = TimelineServer(folder, program, data, peers, limits, recording=self._file)
        self._data = data
        self._offset = 0
        self._values, self._open, self._background = {}, {}, set()

    @contextlib.contextmanager
    def running(self):
        with self._server:
            self._next()
            time.sleep(_IDLE)
            for transaction in self._next():
                self._background |= transaction.texts
            yield self

    def pages(self, requests, target):
        """Records pages that no cache holds. Each is requested twice: the first time fills the caches of tokens and
        relationships, and so many pages fit into no page cache of the least size."""
        for path, token in requests:
            self._fetch(path, token)
        self._next()
        units = []
        for path, token in requests:
            self._fetch(path, token)
            found = [one for one in self._next() if one.reads and one.texts]
            if not found:
                raise BenchmarkError(f"{path} was answered from a cache; more pages are needed")
            units.append([execution for one in found for execution in one.executions])
        _write(target, units)

    def post(self, token, text, target):
        """Records the transaction of a post."""
        self._fetch("/api/v1/timelines/home", token)
        self._next()
        with contextlib.closing(sqlite3.connect(f"file:{self._data / DATABASE}?mode=ro", uri=True)) as database:
            sequence = database.execute("SELECT coalesce(max(sequence), 0) FROM change").fetchone()[0]
        self._fetch("/api/v1/statuses", token, body=f"status={text}")
        found = [one for one in self._next() if any("INSERT INTO status" in sql for sql in one.texts)]
        if len(found) != 1:
            raise BenchmarkError(f"a post made {len(found)} transactions")
        executions = found[0].executions
        status, number = (
            next(one.values[0] for one in executions if re.search(rf"INSERT INTO {table}\b", one.sql))
            for table in ["status", "status_search"])
        marks = {status: "d", number: "m"}
        _write(target, [[_varied(one, marks, f"i {sequence}") for one in executions]])

    def _fetch(self, path, token, body=None):
        status, _, answer = self._server.fetch(path, token, body)
        if status != 200:
            raise BenchmarkError(f"{path}: {status} {answer[:200]!r}")

    def _next(self):
        """The transactions that ended since the last call, without those that the server makes by itself."""
        with open(self._file, encoding="ascii") as file:
            file.seek(self._offset)
            text = file.read()
        text = text[:text.rfind("\n") + 1]
        self._offset += len(text)
        ended = [one for one in map(self._read, text.splitlines()) if one]
        return [one for one in ended if not one.texts or one.texts - self._background]

    def _read(self, line):
        """Reads an event; returns the transaction that it ends."""
        kind, statement, *rest = line.split(" ")
        values = self._values.setdefault(statement, {})
        if kind == "c":
            values.clear()
        elif kind == "b":
            values[int(rest[0])] = " ".join(rest[1:]).strip()
        else:
            return self._execute(values, *rest)
        return None

    def _execute(self, values, connection, reads, count, sql):
        sql = bytes.fromhex(sql).decode()
        execution = Execution(sql, [values.get(index, "n") for index in range(1, int(count) + 1)])
        if sql.startswith("BEGIN"):
            self._open[connection] = Transaction(reads == "1", [])
        transaction = self._open.get(connection) or Transaction(reads == "1", [])
        transaction.executions.append(execution)
        if connection in self._open and not sql.startswith(("COMMIT", "ROLLBACK TRANSACTION")):
            return None
        self._open.pop(connection, None)
        return transaction


def _varied(execution, marks, sequence):
    """Marks the values that are different in every post."""
    if "FROM change" in execution.sql:
        marks = marks | {sequence: "s"}
    return Execution(execution.sql, [marks.get(value, value) for value in execution.values])


def _write(path, units):
    """The format that replay.c reads."""
    numbers = {}
    lines = []
    for unit in units:
        lines.append("u")
        for execution in unit:
            lines.append(f"e {numbers.setdefault(execution.sql, len(numbers))}")
            lines += execution.values
    texts = [f"q {sql.encode().hex()}" for sql in numbers]
    path.write_text("\n".join(texts + lines) + "\n")
