"""The servers that are compared, each on a free port of the loopback interface."""

import dataclasses
import json
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request

from support.machine import BenchmarkError, free_port
from support.usage import family


@dataclasses.dataclass
class Traffic:
    """What a server was asked."""

    connections: int
    requests: int
    #: To the client, heads included; None when nobody counts them.
    bytes: int | None = None


class Server:
    """A server that runs until the `with` block ends."""

    name = ""
    _START_SECONDS = 20
    _STOP_SECONDS = 12

    def __init__(self, folder):
        self.folder = folder / self.name
        self.folder.mkdir(exist_ok=True)
        self._process = None
        self.address = ""
        self.pids = []

    def __enter__(self):
        try:
            self._start()
            self.pids = family(self.pid)
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, *_):
        self._stop()

    @property
    def pid(self):
        """The first of the server's processes."""
        return self._process.pid

    def url(self, name):
        """Where the file of that name is read."""
        return f"{self.address}/{name}"

    def traffic(self):
        """What it was asked since the last call, or None when it does not say."""
        return None

    def _launch(self, command, **options):
        # A process group of its own: Ctrl-C reaches us alone, and we end the whole group. Not a session of its own, because
        # Linux shares the processors among sessions, whatever the priorities of their processes.
        log = open(self.folder / "server.log", "ab")
        with log:
            self._process = subprocess.Popen(
                command, stderr=log, process_group=0,
                **({"stdin": subprocess.DEVNULL, "stdout": log} | options))

    def _announced(self):
        """The address in the one line the server prints when it listens."""
        ready, _, _ = select.select([self._process.stdout], [], [], self._START_SECONDS)
        line = self._process.stdout.readline().decode() if ready else ""
        if not line.startswith("listening on "):
            self._fail()
        return line.split()[-1]

    def _wait_for(self, port):
        deadline = time.monotonic() + self._START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    self.address = f"http://127.0.0.1:{port}"
                    return
            time.sleep(0.05)
        self._fail()

    def _fail(self):
        log = (self.folder / "server.log").read_text(errors="replace").strip()
        raise BenchmarkError(f"{self.name} did not start: " + (log[-500:] or "it said nothing"))

    def _stop(self):
        if self._process is None:
            return
        for number, seconds in ((signal.SIGTERM, self._STOP_SECONDS), (signal.SIGKILL, 5)):
            try:
                os.killpg(self._process.pid, number)
            except ProcessLookupError:
                pass
            try:
                self._process.wait(seconds)
                break
            except subprocess.TimeoutExpired:
                continue
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()


class Feedserver(Server):
    """Ours: with an account and a token, logging errors only."""

    name = "feedserver"

    def __init__(self, folder, binary):
        super().__init__(folder)
        self._binary = str(binary)
        self.data = self.folder / "data"
        self.token = ""

    def url(self, name):
        return f"{self.address}/files/{name}"

    def _start(self):
        self._tool("account", "add", "bench", "--password-stdin", text="a password for benchmarks\n")
        self.token = self._tool("token", "create", "bench").strip()
        self._launch(
            [self._binary, "serve", "--data", str(self.data), "--port", "0", "--log-level", "error",
             "--no-rate-limits"], stdout=subprocess.PIPE)
        self.address = self._announced()

    def _tool(self, *arguments, text=""):
        result = subprocess.run(
            [self._binary, *arguments, "--data", str(self.data)], input=text, capture_output=True, text=True,
            timeout=60)
        if result.returncode != 0:
            raise BenchmarkError(f"feedserver {' '.join(arguments)}: {result.stderr.strip()}")
        return result.stdout

    def forget(self, name, sha256, curl):
        """Removes an upload and its bytes, so that many rounds fit on the disk."""
        curl("--request", "DELETE", "--header", f"Authorization: Bearer {self.token}", self.url(name), accept=None)
        self.blob(sha256).unlink(missing_ok=True)

    def blob(self, sha256):
        """Where the bytes of a stored file are."""
        return self.data / "blobs" / sha256[:2] / sha256[2:4] / sha256


class Nginx(Server):
    """Two workers, sendfile, a cache of open files, no access log; PUT by its WebDAV module."""

    name = "nginx"

    _CONFIGURATION = """
        {user}
        worker_processes 2; daemon off; pid "{own}/pid"; error_log "{own}/error.log" error;
        events {{ worker_connections 1024; }}
        http {{
            access_log off; default_type application/octet-stream; keepalive_requests 1000000;
            sendfile on; tcp_nopush on;
            open_file_cache max=100 inactive=600s; open_file_cache_valid 600s; open_file_cache_min_uses 1;
            client_max_body_size 0; client_body_buffer_size 256k; client_body_temp_path "{own}/body";
            proxy_temp_path "{own}/t1"; fastcgi_temp_path "{own}/t2"; uwsgi_temp_path "{own}/t3";
            scgi_temp_path "{own}/t4";
            server {{
                listen 127.0.0.1:{port};
                root "{root}";
                location = /counts {{ stub_status; }}
                location /up/ {{ root "{own}"; dav_methods PUT DELETE; open_file_cache off; }}
            }}
        }}
        """

    def __init__(self, folder, root):
        super().__init__(folder)
        self._root = root
        self.uploads = self.folder / "up"
        self.uploads.mkdir()
        self._counted = (0, 0)

    def traffic(self):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(self.url("counts"), timeout=10) as answer:
            accepted, _, requests = map(int, re.search(r"(\d+) (\d+) (\d+)", answer.read().decode()).groups())
        before, self._counted = self._counted, (accepted, requests)
        # Without this question itself.
        return Traffic(accepted - before[0] - 1, requests - before[1] - 1)

    def upload_url(self, name):
        """Where a file of that name is put."""
        return f"{self.address}/up/{name}"

    def _start(self):
        port = free_port()
        configuration = self.folder / "nginx.conf"
        configuration.write_text(self._CONFIGURATION.format(
            user="user root;" if os.geteuid() == 0 else "", own=self.folder, root=self._root, port=port))
        log = str(self.folder / "error.log")
        self._launch([shutil.which("nginx"), "-e", log, "-p", str(self.folder), "-c", str(configuration)])
        self._wait_for(port)


class Caddy(Server):
    """Its file server as it is; it writes no access log unless told to."""

    name = "Caddy"

    _CONFIGURATION = """
        {{
            admin off
            auto_https off
            log {{
                level ERROR
            }}
        }}
        http://127.0.0.1:{port} {{
            root * "{root}"
            file_server
        }}
        """

    def __init__(self, folder, root):
        super().__init__(folder)
        self._root = root

    def _start(self):
        port = free_port()
        configuration = self.folder / "Caddyfile"
        configuration.write_text(self._CONFIGURATION.format(root=self._root, port=port))
        places = {name: str(self.folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
        self._launch(
            [shutil.which("caddy"), "run", "--config", str(configuration), "--adapter", "caddyfile"],
            env=os.environ | places)
        self._wait_for(port)


class FaultProxy(Server):
    """A worse network in front of a server, see fault_proxy.py; `options` are those of that program."""

    name = "proxy"
    _PROGRAM = pathlib.Path(__file__).with_name("fault_proxy.py")

    def __init__(self, folder, server, **options):
        super().__init__(folder)
        port = server.address.rpartition(":")[2]
        self._options = [f"--{name}={value}" for name, value in ({"upstream": port} | options).items()]

    def traffic(self):
        self._process.stdin.write(b"\n")
        self._process.stdin.flush()
        counts = json.loads(self._process.stdout.readline())
        return Traffic(counts["connections"], counts["requests"], counts["sent"])

    def _start(self):
        self._launch(
            [sys.executable, "-B", str(self._PROGRAM), *self._options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.address = self._announced()
