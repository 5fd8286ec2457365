"""PyPI's websockets follows a home timeline until it has received a number of statuses, whatever happens to the
server. Usage: python websockets_follow.py http://HOST:PORT TOKEN COUNT

Prints `open` whenever the stream is open, and the id of each status.
"""

import json
import sys
import time
import urllib.parse

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

ADDRESS, TOKEN, COUNT = sys.argv[1], sys.argv[2], int(sys.argv[3])
STREAMS = ADDRESS.replace("http", "ws", 1) + "/api/v1/streaming?"
received, position = 0, None

while received < COUNT:
    query = {"stream": "user", "access_token": TOKEN}
    if position:
        query["since"] = position
    try:
        with connect(STREAMS + urllib.parse.urlencode(query), open_timeout=300, ping_interval=None, proxy=None) as socket:
            print("open", flush=True)
            while received < COUNT:
                message = json.loads(socket.recv(timeout=300))
                if message.get("event") != "update":
                    continue
                position, received = message["id"], received + 1
                print(json.loads(message["payload"])["id"], flush=True)
    except (ConnectionClosed, InvalidHandshake, OSError):
        time.sleep(0.2)
