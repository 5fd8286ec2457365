"""bitlbee, an IRC gateway that reads event streams line by line: shows a post of bob, whom ada follows.

Arguments: the https address of the server, the certificate to trust, and the tokens of ada and bob.
"""

import json
import pathlib
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

ADDRESS, AUTHORITY, ADA, BOB = sys.argv[1:5]
TEXT = "hello from bob"
CONFIGURATION = """[settings]
RunMode = Daemon
DaemonInterface = 127.0.0.1
DaemonPort = {port}
ConfigDir = {folder}
CAfile = {authority}
"""


def reserved_port():
    """A bound socket, whose port no other program gets. One that sets `SO_REUSEADDR`, too, can listen there."""
    place = socket.socket()
    place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    place.bind(("127.0.0.1", 0))
    return place


def connected(port, process):
    while process.poll() is None:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=300)
        except ConnectionRefusedError:
            time.sleep(0.02)
    raise SystemExit("bitlbee has ended")


class Session:
    """An IRC session, in which the channel `&bitlbee` takes commands."""

    def __init__(self, connection):
        self.file = connection.makefile("rw", encoding="utf-8", newline="\r\n")

    def send(self, line):
        self.file.write(line + "\r\n")
        self.file.flush()

    def wait(self, words):
        for line in self.file:
            print(line.strip())
            if words in line:
                return
        raise SystemExit(f"the session ended before: {words}")

    def command(self, words, answer):
        self.send("PRIVMSG &bitlbee :account " + words)
        self.wait(answer)


def request(path, token, **values):
    context = ssl.create_default_context(cafile=AUTHORITY)
    body = urllib.parse.urlencode(values).encode() if values else None
    request = urllib.request.Request(ADDRESS + "/api/v1/" + path, body, {"Authorization": "Bearer " + token})
    return json.load(urllib.request.urlopen(request, context=context))


def post(shown):
    """Posts until one is shown: those before the stream has begun are not."""
    while not shown.wait(0.2):
        request("statuses", BOB, status=TEXT)


bob = request("accounts/verify_credentials", BOB)["id"]
request(f"accounts/{bob}/follow", ADA, reblogs="true")
with tempfile.TemporaryDirectory() as folder, reserved_port() as place:
    port = place.getsockname()[1]
    configuration = pathlib.Path(folder, "bitlbee.conf")
    configuration.write_text(CONFIGURATION.format(port=port, folder=folder, authority=AUTHORITY))
    bitlbee = subprocess.Popen(["bitlbee", "-D", "-n", "-c", configuration, "-d", folder, "-P", folder + "/pid"])
    try:
        session = Session(connected(port, bitlbee))
        session.send("NICK ada")
        session.send("USER ada 0 * :ada")
        session.wait("JOIN :&bitlbee")
        session.command("add mastodon ada access_token=" + ADA, "successfully added")
        # It would register itself, and ask for a login in a browser.
        for name, value in [("base_url", ADDRESS), ("consumer_key", "x"), ("consumer_secret", "x")]:
            session.command(f"mastodon set {name} {value}", name + " =")
        session.command("mastodon on", "Logged in")
        shown = threading.Event()
        author = threading.Thread(target=post, args=[shown])
        author.start()
        try:
            session.wait(TEXT)
        finally:
            shown.set()
            author.join()
        print("ok " + TEXT)
    finally:
        bitlbee.terminate()
        bitlbee.wait()
