"""Runs toot for one account: the one installed beside this Python, with its own configuration.

Most commands run in copies of this process, for speed; those that prompt run in processes of their own.

The accounts ada, bob, cleo and dora are there, with the password `secret`.
"""

import importlib.util
import json
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
from contextlib import contextmanager

import program_copy
from browser import Browser

PASSWORD = "secretsecret"
TOOT = os.path.join(os.path.dirname(sys.executable), "toot")

# toot 0.34.1 takes a server as host and scheme, and has no JSON output.
IS_OLD = importlib.util.find_spec("toot.cli") is None


program_copy.import_dependencies("toot", "toot.console" if IS_OLD else "toot.cli")


class Failed(Exception):
    """toot exited with an error."""


def base():
    if len(sys.argv) < 2:
        sys.exit(f"usage: {sys.argv[0]} http://HOST:PORT")
    return sys.argv[1].rstrip("/")


def server():
    """The options that select the server in this version of toot."""
    return ["-i", base().split("//")[1], "--disable-https"] if IS_OLD else ["-i", base()]


class Toot:
    def __init__(self, name, logs_in=True):
        self.name = name
        self.place = tempfile.TemporaryDirectory()
        places = {f"XDG_{kind}_HOME": self.place.name for kind in ("CONFIG", "CACHE", "DATA", "STATE")}
        self.environment = {**os.environ, **places, "HOME": self.place.name, "NO_COLOR": "1", "BROWSER": "true",
                            "COLUMNS": "100", "LINES": "200", "TERM": "dumb"}
        self.color = ["--no-color"]
        if logs_in:
            self.log_in()

    def command(self, *arguments):
        arguments = [str(argument) for argument in arguments]
        if IS_OLD:
            return [TOOT, *arguments, *self.color]
        return [TOOT, *self.color, *arguments]

    def run(self, *arguments, given=""):
        """The output of toot. A failure raises an exception with its message."""
        done = program_copy.run(self.command(*arguments), self.environment, given)
        if done.returncode != 0 or "Traceback" in done.stderr:
            raise Failed(f"toot {' '.join(map(str, arguments))}: {(done.stderr or done.stdout).strip()[-400:]}")
        return done.stdout

    @contextmanager
    def undoing(self, act, undo, whom):
        """Always undoes an action, so that the next step is not affected."""
        self.run(act, whom)
        try:
            yield
        finally:
            self.run(undo, whom)

    def json(self, *arguments):
        """The JSON output of toot, which only the new version has."""
        return json.loads(self.run(*arguments, "--json"))

    def log_in(self, password=PASSWORD):
        if IS_OLD:
            return self.run("login_cli", *server(), "-e", self.name, given=password)
        return self.run("login_cli", *server(), "-e", self.name, "-p", password)

    def log_in_by_browser(self):
        """Follows the prompts: opens the URL, logs in, enters the code."""
        environment = {**self.environment, "PYTHONUNBUFFERED": "1"}
        toot = subprocess.Popen(self.command("login", *server()), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, env=environment)
        said = ""
        while not (address := re.search(r"https?://\S+/oauth/authorize\S*", said)):
            line = toot.stdout.readline()
            if not line:
                raise Failed(said[-400:])
            said += line
        code = Browser().authorize(address.group(), self.name, PASSWORD)["code"]
        rest, _ = toot.communicate(f"n\n{code}\n", timeout=300)
        if toot.returncode != 0:
            raise Failed((said + rest)[-400:])
        return said + rest

    def post(self, text, *options):
        """Posts a status and returns its id."""
        said = self.run("post", text, *options)
        return re.search(r"Toot posted: \S+/(\d+)\s*$", said).group(1)

    def pages(self, *arguments):
        """The output of toot on a terminal, continuing at every prompt."""
        ours, theirs = pty.openpty()
        toot = subprocess.Popen(self.command(*arguments), stdin=theirs, stdout=theirs, stderr=theirs,
                                env=self.environment, close_fds=True)
        os.close(theirs)
        said = read_on(ours).decode(errors="replace")
        os.close(ours)
        if toot.wait(timeout=300) != 0:
            raise Failed(said[-400:])
        return said.replace("\r", "")


def read_on(terminal):
    """Reads to the end and presses Enter at each prompt, again if the key was lost during terminal setup."""
    said, answered = bytearray(), 0
    while True:
        asked = len(re.findall(rb"Continue\?|to continue,", said))
        if not select.select([terminal], [], [], 0.5)[0] and asked:
            os.write(terminal, b"\r")
            continue
        if asked > answered:
            answered = asked
            os.write(terminal, b"\r")
        try:
            part = os.read(terminal, 65536)
        except OSError:
            return said
        said += part


def shown(text):
    """The ids of the statuses in the output of toot."""
    return re.findall(r"^ID (\d+)", text, re.MULTILINE)
