"""A server that does what real servers do on bad days: it forgets, it lies, it is replaced. One file, on loopback."""

import asyncio
import dataclasses
import gzip
import random
import re
import socket

_PIECE = 32 << 10
_BUFFER = 64 << 10
_LONGEST_HEAD = 64 << 10


@dataclasses.dataclass(frozen=True)
class Version:
    """The file at one time, and what tells it from other times."""

    data: bytes
    tag: str
    modified: str

    @property
    def whole(self):
        return range(len(self.data))


def version(seed, size):
    """Bytes nobody can compress; another seed is another file with other validators."""
    return Version(random.Random(seed).randbytes(size), f'"version-{seed}"', f"Fri, 20 Nov 2026 10:{seed:02}:00 GMT")


@dataclasses.dataclass
class Request:
    """What the server understands of a request; faults may change it."""

    method: str
    first: int | None = None
    last: int | None = None
    if_range: str | None = None

    @classmethod
    def parse(cls, head):
        fields = dict(re.findall(r"(?m)^([^:\s]+):[ \t]*(.*?)\r?$", head.partition("\n")[2].lower()))
        found = re.fullmatch(r"bytes=(\d+)-(\d*)", fields.get("range", ""))
        request = cls(head.split(" ", 1)[0], if_range=fields.get("if-range"))
        if found:
            request.first, request.last = int(found[1]), int(found[2]) if found[2] else None
        return request

    @property
    def is_resumed(self):
        return bool(self.first)


@dataclasses.dataclass
class Answer:
    status: int
    headers: dict
    body: bytes = b""

    def head(self):
        lines = [f"HTTP/1.1 {self.status} Answer", f"Content-Length: {len(self.body)}"]
        return ("\r\n".join(lines + [f"{name}: {value}" for name, value in self.headers.items()]) + "\r\n\r\n").encode()


def part(data, request, headers):
    """The range that was asked for, or 416."""
    size = len(data)
    if request.first >= size:
        return Answer(416, headers | {"Content-Range": f"bytes */{size}"})
    last = size - 1 if request.last is None else min(request.last, size - 1)
    return Answer(206, headers | {"Content-Range": f"bytes {request.first}-{last}/{size}"}, data[request.first:last + 1])


def honest(request, file):
    """What RFC 9110 asks for."""
    headers = {"ETag": file.tag, "Last-Modified": file.modified, "Accept-Ranges": "bytes"}
    is_same = request.if_range in (None, file.tag, file.modified.lower())
    if request.first is None or not is_same:
        return Answer(200, headers, file.data)
    return part(file.data, request, headers)


# Faults: each takes the place of `honest`


def early(request, file):
    """A part that begins before what was asked for, and says so."""
    if request.is_resumed:
        request.first = max(0, request.first - 1000)
    return honest(request, file)


def short(request, file):
    """A part that ends before what was asked for, and says so."""
    if request.is_resumed:
        last = request.first + 499_999
        request.last = last if request.last is None else min(last, request.last)
    return honest(request, file)


def ignoring_if_range(request, file):
    request.if_range = None
    return honest(request, file)


def lying_about_total(request, file):
    """The right bytes; the size of the whole is another than before."""
    answer = honest(request, file)
    if answer.status == 206 and request.is_resumed:
        place = answer.headers["Content-Range"].partition("/")[0]
        answer.headers["Content-Range"] = f"{place}/{len(file.data) + 1000}"
    return answer


def compressed(request, file):
    """A range of the compressed file under the plain file's ETag."""
    answer = honest(request, file)
    if answer.status == 206 and request.is_resumed:
        return part(gzip.compress(file.data, 1, mtime=0), request, answer.headers | {"Content-Encoding": "gzip"})
    return answer


class FaultServer:
    """Serves `file`. After `cut_at` bytes all connections end once, and `then` is the file from there on, if given; after
    `silent_at` bytes nothing comes any more until `wake`."""

    def __init__(self, file, answer=honest, cut_at=None, then=None, silent_at=None):
        self.file, self._answer, self._cut_at, self._then, self._silent_at = file, answer, cut_at, then, silent_at
        self.served = 0
        self._open = set()

    async def __aenter__(self):
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
        listener.bind(("127.0.0.1", 0))
        self._server = await asyncio.start_server(self._serve, sock=listener)
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}/file.bin"
        return self

    async def __aexit__(self, *_):
        self._server.close()
        self._end_connections()

    @property
    def is_silent(self):
        return self._silent_at is not None and self.served >= self._silent_at

    def wake(self, file):
        """Speaks again, about another file perhaps."""
        self._end_connections()
        self.file, self._silent_at = file, None

    def _end_connections(self):
        for writer in self._open:
            writer.transport.abort()

    async def _serve(self, reader, writer):
        writer.transport.set_write_buffer_limits(high=_PIECE)
        self._open.add(writer)
        try:
            while await self._exchange(reader, writer):
                pass
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            self._open.discard(writer)
            writer.close()

    async def _exchange(self, reader, writer):
        """One request and its answer. Returns whether the connection lives on."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        request = Request.parse(head)
        answer = self._answer(request, self.file)
        writer.write(answer.head())
        body = b"" if request.method == "HEAD" else answer.body
        for start in range(0, len(body), _PIECE):
            if not await self._send(reader, writer, body[start:start + _PIECE]):
                return False
        await writer.drain()
        return True

    async def _send(self, reader, writer, piece):
        if self.is_silent:
            await reader.read(1)  # until the client goes away
            return False
        self.served += len(piece)
        writer.write(piece)
        await writer.drain()
        if self._cut_at is not None and self.served >= self._cut_at:
            self._cut_at, self.file = None, self._then or self.file
            self._generation_ends()
        return writer in self._open

    def _generation_ends(self):
        """Like a server that is restarted: what was written arrives, then every connection ends."""
        for writer in self._open:
            writer.close()
        self._open.clear()
