"""A page of another site that follows streams with EventSource, as a web application does."""

import json
import os
import urllib.parse

from chromium import Chromium

PAGE = """<!doctype html><meta charset="utf-8"><title>streams</title><script>
const names = ["message", "update", "status.update", "delete", "notification", "conversation", "filters_changed",
  "resync", "shutdown", "dropped"];
const sources = {};
function follow(stream, address) {
  const source = sources[stream] = new EventSource(address);
  const tell = (event, values) => report(JSON.stringify({stream, event, ...values}));
  source.addEventListener("open", () => tell("open"));
  source.addEventListener("error", () => tell(source.readyState === EventSource.CLOSED ? "closed" : "lost"));
  for (const name of names) {
    source.addEventListener(name, ({data, lastEventId}) => tell(name, {position: lastEventId, data}));
  }
}
</script>"""


class Followers:
    """Several sources on one page. Their events are dictionaries: `stream`, `event`, `position`, `data`, and `id`."""

    def __init__(self, chromium: Chromium, address):
        place = os.path.join(chromium.folder, "page.html")
        with open(place, "w", encoding="utf-8") as file:
            file.write(PAGE)
        # A file has the origin `null`, so the server's CORS headers count.
        self.page, self.address = chromium.open("file://" + place), address

    def follow(self, name, path, **query):
        """Follows a stream, and does not wait until it is open."""
        address = f"{self.address}/api/v1/streaming/{path}?{urllib.parse.urlencode(query)}"
        self.page.evaluate(f"follow({json.dumps(name)}, {json.dumps(address)})")

    def close(self, name):
        self.page.evaluate(f"sources[{json.dumps(name)}].close()")

    def receive(self):
        """The next event of any stream; also `open`, `lost` (it connects again) and `closed`."""
        event = json.loads(self.page.report())
        event["id"] = id_of(event["event"], event.get("data", ""))
        return event


def id_of(event, data):
    """The id of the status that an event is about."""
    if event in ("update", "status.update"):
        return json.loads(data)["id"]
    if event == "notification":
        return json.loads(data)["status"]["id"]
    if event == "conversation":
        return json.loads(data)["last_status"]["id"]
    return data if event == "delete" else ""


def place_of(position):
    """The epoch and the sequence of a position."""
    epoch, _, sequence = position.rpartition("-")
    return epoch, int(sequence)
