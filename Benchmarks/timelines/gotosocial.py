"""GoToSocial beside feedserver: the public timeline, and posts. Its feed has only the statuses of one page, because
nothing imports more; on SQLite with synchronous = FULL, like ours, and without its rate limits."""

import http.client
import json
import os
import re
import subprocess
import urllib.parse

from support.machine import BenchmarkError, free_port
from timelines.scenarios import CONNECTIONS, CONNECTIONS_POSTING, PUBLIC, STATUSES, TEXT
from timelines.servers import WebServer

_EMAIL, _PASSWORD = "bench@example.org", "a-Long-Password-4-benchmarks!"
_REDIRECT = "urn:ietf:wg:oauth:2.0:oob"
_STATUSES = 40


def compare_with_gotosocial(bench, peer):
    """The comparisons with a running GoToSocial."""
    with bench.server() as ours, peer:
        for _ in range(_STATUSES):
            peer.fetch(STATUSES, peer.token, "status=" + TEXT)
        found = []
        for title, path, connections, body in (
                ("public timeline", PUBLIC, CONNECTIONS, None),
                (f"posts at {CONNECTIONS_POSTING} connections", STATUSES, CONNECTIONS_POSTING, "status=" + TEXT)):
            sides = [
                bench.reader(f"{title}, {server.name} in turns", server, [(path, token)], connections, body=body)
                for server, token in ((ours, bench.writer_token if body else None), (peer, peer.token))]
            found.append(bench.compare(title, *sides, peer.name, None))
        return found


class GoToSocial(WebServer):
    """A new instance with one account."""

    name = "GoToSocial"
    _START_SECONDS = 120

    def __init__(self, folder, program):
        super().__init__(folder)
        self._program = program.resolve()
        self._port = free_port()
        self.token = ""
        self._cookies = {}

    def _start(self):
        settings = {
            "host": f"localhost:{self._port}", "protocol": "http", "bind-address": "127.0.0.1", "port": self._port,
            "db-type": "sqlite", "db-address": self.folder / "sqlite.db", "db-sqlite-synchronous": "FULL",
            "storage-local-base-path": self.folder / "storage", "letsencrypt-enabled": "false", "log-level": "warn",
            "web-template-base-dir": self._program.parent / "web/template",
            "web-asset-base-dir": self._program.parent / "web/assets", "instance-expose-public-timeline": "true",
            "advanced-rate-limit-requests": "0", "advanced-throttling-multiplier": "0"}
        environment = os.environ | {
            "GTS_" + name.upper().replace("-", "_"): str(value) for name, value in settings.items()}
        self._tool(environment, "create", "--username", "bench", "--email", _EMAIL, "--password", _PASSWORD)
        self._launch([str(self._program), "server", "start"], env=environment, cwd=self.folder)
        self._wait_for(self._port)
        self.token = self._log_in()

    def _tool(self, environment, *arguments):
        command = [str(self._program), "admin", "account", *arguments]
        result = subprocess.run(command, env=environment, cwd=self.folder, capture_output=True, text=True, timeout=300)
        if result.returncode != 0:
            raise BenchmarkError("GoToSocial: " + (result.stderr or result.stdout).strip()[-500:])

    def _log_in(self):
        """The steps of a person with a browser: application, sign in, consent, token."""
        scopes = "read write"
        application = json.loads(self._form("/api/v1/apps", {
            "client_name": "bench", "redirect_uris": _REDIRECT, "scopes": scopes})[1])
        client = {"client_id": application["client_id"], "redirect_uri": _REDIRECT}
        query = urllib.parse.urlencode(client | {"response_type": "code", "scope": scopes})
        self._ask("GET", "/oauth/authorize?" + query)
        self._form("/auth/sign_in", {"username": _EMAIL, "password": _PASSWORD})
        location, page = self._form("/oauth/authorize", {})
        code = re.search(r"[?&]code=([^&]+)", location or "")
        if not code:
            raise BenchmarkError(f"GoToSocial gave no code: {location} {page[:200]!r}")
        answer = self._form("/oauth/token", client | {
            "client_secret": application["client_secret"], "grant_type": "authorization_code",
            "code": urllib.parse.unquote(code[1])})[1]
        return json.loads(answer)["access_token"]

    def _form(self, path, fields):
        return self._ask("POST", path, urllib.parse.urlencode(fields))

    def _ask(self, method, path, body=None):
        """The location and the body of a response; its cookies are kept."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        headers = {"Host": f"localhost:{self._port}", "Accept": "text/html,application/json", "Cookie": "; ".join(
            f"{name}={value}" for name, value in self._cookies.items())}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        text = response.read()
        for cookie in response.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            self._cookies[name] = value
        connection.close()
        if response.status >= 400:
            raise BenchmarkError(f"GoToSocial: {method} {path}: {response.status} {text[:300]!r}")
        return response.headers["Location"], text
