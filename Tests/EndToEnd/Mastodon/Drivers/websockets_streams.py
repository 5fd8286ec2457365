"""PyPI's websockets receives streams. Usage: python websockets_streams.py http://HOST:PORT ADA-TOKEN BOB-TOKEN

Ada follows bob.
"""

import json
import sys
import urllib.parse
import urllib.request

from steps import Steps, same, true
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

ADDRESS, ADA, BOB = sys.argv[1:4]
STREAMS = ADDRESS.replace("http", "ws", 1) + "/api/v1/streaming"
# A limit that only ends a step that would otherwise hang.
LIMIT = 300

step = Steps()


def ask(method, path, token, **values):
    body = urllib.parse.urlencode(values).encode() or None
    request = urllib.request.Request(
        ADDRESS + path, data=body, method=method, headers={"Authorization": "Bearer " + token})
    with urllib.request.urlopen(request, timeout=LIMIT) as response:
        return json.load(response)


def post(text, token=BOB, **values):
    return ask("POST", "/api/v1/statuses", token, status=text, **values)["id"]


def open_socket(query="", **options):
    return connect(STREAMS + query, open_timeout=LIMIT, ping_interval=None, proxy=None, **options)


def receive(socket):
    """The next message as (stream, event, id of the payload)."""
    message = json.loads(socket.recv(timeout=LIMIT))
    if "error" in message:
        return message["status"]
    payload = json.loads(message["payload"]) if "payload" in message else None
    return (message["stream"], message["event"], payload["id"] if isinstance(payload, dict) else str(payload))


def subscribe(socket, stream, **values):
    socket.send(json.dumps({"type": "subscribe", "stream": stream, **values}))


@step("a token in the query, a header or the subprotocol")
def _():
    ways = [
        ("?stream=user&access_token=" + ADA, {}),
        ("?stream=user", {"additional_headers": {"Authorization": "Bearer " + ADA}}),
        ("?stream=user", {"subprotocols": [ADA]}),
    ]
    for query, options in ways:
        with open_socket(query, **options) as socket:
            same(socket.subprotocol, ADA if "subprotocols" in options else None, "subprotocol")
            # The client offers compression.
            same(socket.protocol.extensions, [], "extensions")
            status = post("hello")
            same(receive(socket), (["user"], "update", status))


@step("several streams on one socket")
def _():
    with open_socket("?access_token=" + ADA) as socket:
        subscribe(socket, "user")
        subscribe(socket, "hashtag", tag="bikes")
        # Messages are answered in their order.
        subscribe(socket, "nowhere")
        same(receive(socket), 400)
        status = post("#bikes")
        found = sorted(receive(socket) for _ in range(2))
        same(found, [(["hashtag", "bikes"], "update", status), (["user"], "update", status)])
        socket.send(json.dumps({"type": "unsubscribe", "stream": "user"}))
        # In two frames.
        socket.send(['{"type":"subscribe",', '"stream":"nowhere"}'])
        same(receive(socket), 400)
        post("no tag")
        status = post("#bikes again")
        same(receive(socket), (["hashtag", "bikes"], "update", status))


@step("missed events are sent first")
def _():
    with open_socket("?stream=user&access_token=" + ADA) as socket:
        first = post("first")
        message = json.loads(socket.recv(timeout=LIMIT))
        same(json.loads(message["payload"])["id"], first)
    missed = [post(f"missed {number}") for number in range(3)]
    query = "?" + urllib.parse.urlencode({"stream": "user", "access_token": ADA, "since": message["id"]})
    with open_socket(query) as socket:
        last = post("last")
        same([receive(socket)[2] for _ in range(4)], missed + [last])


@step("pings are answered")
def _():
    with open_socket() as socket:
        true(socket.ping().wait(LIMIT), "pong")


@step("a wrong token is refused before the handshake")
def _():
    try:
        with open_socket("?stream=user&access_token=wrong-wrong-wrong-wrong"):
            raise AssertionError("accepted")
    except InvalidStatus as error:
        same(error.response.status_code, 401)
        true("error" in json.loads(error.response.body), "the body is JSON")


@step("a message that is too large closes the socket")
def _():
    with open_socket() as socket:
        try:
            socket.send("x" * 100_000)
            socket.recv(timeout=LIMIT)
            raise AssertionError("accepted")
        except ConnectionClosed as error:
            same(error.rcvd.code if error.rcvd else None, 1009, "code")


step.finish()
