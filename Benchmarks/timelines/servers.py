"""The servers that are compared: ours as its user runs it, and nginx with the same bytes as files."""

import json
import os
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request

from support.machine import BenchmarkError, free_port
from support.servers import Server
from support.usage import family

#: So high that no request is refused, while the limits are kept and reported as always.
_RATE_LIMIT = 1_000_000_000
#: Of nginx.
_WORKERS = 2
#: What nginx sends itself.
_OWN_HEADERS = {"server", "date", "content-length", "content-type", "last-modified", "etag", "connection", "keep-alive"}


class WebServer(Server):
    """A server of pages."""

    def fetch(self, path, token=None, body=None, etag=None):
        """Status, headers and body of a response; with a body, to POST."""
        headers = {"Authorization": "Bearer " + token} if token else {}
        if etag:
            headers["If-None-Match"] = etag
        request = urllib.request.Request(self.address + path, headers=headers, data=body and body.encode())
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=30) as response:
                return response.status, response.headers, response.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def fsyncs(self):
        """How often it has called fsync or fdatasync, as far as it is known."""
        return 0

    def forget_log(self):
        """Empties the log, which would fill the disk."""
        os.truncate(self.folder / "server.log", 0)


class TimelineServer(WebServer):
    """feedserver on a data folder, with all limits and its access log, which goes to a file."""

    name = "feedserver"

    def __init__(self, folder, program, data, peers=None, limits=None, recording=None, database=None):
        """
        - peers: the folder of the preload libraries; None for a server that is not measured.
        - limits: of the configuration file.
        - recording: a file for all SQL statements; for looking, not for measuring.
        - database: the address of its PostgreSQL database, instead of the file in the data folder.
        """
        super().__init__(folder)
        self._program, self.data, self._peers, self._recording = str(program), data, peers, recording
        self._limits, self._database = limits or {}, database
        self._fsyncs = self.folder / "fsyncs"

    def fsyncs(self):
        return int.from_bytes(self._fsyncs.read_bytes()[:8], "little")

    def cache_hits(self, cache):
        """Hits and misses of a cache since the start."""
        text = self.fetch("/metrics")[2].decode()
        pattern = r'^feedserver_cache_requests_total\{([^}]*)\} (\d+)'
        found = {labels: int(value) for labels, value in re.findall(pattern, text, re.MULTILINE)}
        return tuple(
            sum(value for labels, value in found.items() if f'cache="{cache}"' in labels and f'"{result}"' in labels)
            for result in ("hit", "miss"))

    def _start(self):
        configuration = self.folder / "feed.json"
        configuration.write_text(json.dumps({"rateLimit": _RATE_LIMIT, "limits": self._limits}))
        database = ["--database", self._database] if self._database else []
        self._launch(
            [self._program, "serve", "--data", str(self.data), "--port", "0", "--config", str(configuration), *database],
            stdout=subprocess.PIPE, env=os.environ | self._preloaded())
        self.address = self._announced()

    def _preloaded(self):
        if not self._peers:
            return {}
        if self._recording:
            return {"LD_PRELOAD": str(self._peers / "record.so"), "FEED_RECORD": str(self._recording)}
        return {"LD_PRELOAD": str(self._peers / "fsyncs.so"), "FEED_FSYNCS": str(self._fsyncs)}

    def wait_until_indexed(self):
        """Waits until searches find all statuses, and returns the seconds. Versions without an index are done at once."""
        start = time.monotonic()
        while self.fetch("/api/v2/search?q=nothing")[1]["Search-Incomplete"]:
            time.sleep(0.2)
        return time.monotonic() - start


class PageServer(WebServer):
    """nginx with two workers, sendfile and a cache of open files; each page is a file with the headers of ours."""

    name = "nginx"

    _CONFIGURATION = """
        {user}
        worker_processes {workers}; daemon off; pid "{own}/pid"; error_log "{own}/error.log" error;
        events {{ worker_connections 1024; }}
        http {{
            access_log off; keepalive_requests 1000000000; keepalive_timeout 600s;
            sendfile on; tcp_nopush on;
            open_file_cache max=10000 inactive=600s; open_file_cache_valid 600s; open_file_cache_min_uses 1;
            client_body_temp_path "{own}/body"; proxy_temp_path "{own}/t1"; fastcgi_temp_path "{own}/t2";
            uwsgi_temp_path "{own}/t3"; scgi_temp_path "{own}/t4";
            server {{
                listen 127.0.0.1:{port} backlog=1024;
                root "{own}/www";
                {locations}
            }}
        }}
        """
    _LOCATION = 'location /{name}/ {{ default_type "{type}"; {headers} }}'

    def __init__(self, folder):
        super().__init__(folder)
        self._www = self.folder / "www"
        self._www.mkdir(exist_ok=True)
        self._locations = {}

    def save(self, kind, pages, headers=None):
        """Stores responses of ours as /KIND/0, /KIND/1 and so on, with these headers or those of the first."""
        (self._www / kind).mkdir()
        for number, (status, _, body) in enumerate(pages):
            if status != 200:
                raise BenchmarkError(f"{kind}: {status} {body[:200]!r}")
            (self._www / kind / str(number)).write_bytes(body)
        headers, media_type = headers or pages[0][1], pages[0][1]["Content-Type"]
        added = " ".join(
            f"add_header {name} {_quoted(value)};" for name, value in headers.items()
            if name.lower() not in _OWN_HEADERS)
        self._locations[kind] = self._LOCATION.format(name=kind, type=media_type, headers=added)

    def _start(self):
        port = free_port()
        configuration = self.folder / "nginx.conf"
        configuration.write_text(self._CONFIGURATION.format(
            user="user root;" if os.geteuid() == 0 else "", own=self.folder, port=port,
            workers=_WORKERS, locations="\n".join(self._locations.values())))
        self._launch([shutil.which("nginx"), "-e", str(self.folder / "error.log"), "-p", str(self.folder), "-c",
                      str(configuration)])
        self._wait_for(port)
        # The workers come after the socket; whose CPU time counts is decided when this returns.
        while len(family(self.pid)) <= _WORKERS:
            time.sleep(0.01)


def _quoted(value):
    """A value of nginx's configuration. A dollar sign cannot be escaped there, and no header of ours has one."""
    if "$" in value:
        raise BenchmarkError(f"cannot give nginx the header {value!r}")
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
