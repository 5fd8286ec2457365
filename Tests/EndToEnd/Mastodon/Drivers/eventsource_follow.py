"""A browser's EventSource follows the home timeline and the public one until it has received a status with the text
`the end` on both, whatever happens to the server. Usage: python3 eventsource_follow.py http://HOST:PORT TOKEN

Prints one line of JSON for each event.
"""

import json
import sys

from chromium import Chromium
from eventsource import Followers

ADDRESS, TOKEN = sys.argv[1:3]

waiting = {"user", "public"}
with Chromium() as chromium:
    followers = Followers(chromium, ADDRESS)
    followers.follow("user", "user", access_token=TOKEN)
    followers.follow("public", "public")
    while waiting:
        event = followers.receive()
        is_end = event["event"] == "update" and "the end" in event["data"]
        event.pop("data", None)
        print(json.dumps(event), flush=True)
        if is_end:
            waiting.discard(event["stream"])
        if event["event"] == "closed":
            sys.exit("a browser does not connect again by itself")
