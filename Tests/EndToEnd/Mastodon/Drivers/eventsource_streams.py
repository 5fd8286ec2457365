"""A browser's EventSource receives streams. Usage: python3 eventsource_streams.py http://HOST:PORT"""

import sys
from contextlib import contextmanager

from api import API
from chromium import Chromium
from eventsource import Followers, place_of
from steps import Steps, same, true

ADDRESS = sys.argv[1]

step = Steps()
ada, bob = (API(ADDRESS).log_in(name) for name in ("ada", "bob"))
BOB = bob("GET", "/api/v1/accounts/verify_credentials")["id"]
ada("POST", f"/api/v1/accounts/{BOB}/follow")


class Streams:
    """What a page receives, compared with what it should."""

    def __init__(self, followers):
        self.followers, self.received = followers, {}

    def open(self, name, path, **query):
        self.received[name] = []
        self.followers.follow(name, path, **query)
        same(self.followers.receive(), {"stream": name, "event": "open", "id": ""})

    def expect(self, **wanted):
        """Waits for events, in any order of the streams but in their order on each."""
        wanted = {name: events if isinstance(events, list) else [events] for name, events in wanted.items()}
        found = {name: [] for name in wanted}
        for _ in range(sum(map(len, wanted.values()))):
            event = self.followers.receive()
            self.received[event["stream"]].append(event)
            found.setdefault(event["stream"], []).append((event["event"], event["id"]))
        same(found, wanted, "events")

    def check_positions(self):
        """Positions only advance, and a change has the same one on all streams."""
        places = {}
        for name, events in self.received.items():
            order = [place_of(event["position"]) for event in events]
            same(len({epoch for epoch, _ in order}), 1, f"number of epochs on {name}")
            true(all(one < next for (_, one), (_, next) in zip(order, order[1:])), f"{name} does not advance: {order}")
            for event in events:
                if event["event"] in ("update", "status.update", "delete"):
                    places.setdefault((event["event"], event["id"]), set()).add(event["position"])
        true(all(len(found) == 1 for found in places.values()), f"positions differ: {places}")


@contextmanager
def streams():
    with Chromium() as chromium:
        yield Streams(Followers(chromium, ADDRESS))


@step("all events arrive on a page of another site")
def _():
    with streams() as page:
        page.open("user", "user", access_token=ada.token)
        page.open("direct", "direct", access_token=ada.token)
        page.open("public", "public")
        page.open("hashtag", "hashtag", tag="bikes")
        # Each is awaited, because an event about a status that has been deleted meanwhile is not sent.
        status = bob.post("#bikes")
        page.expect(user=("update", status), public=("update", status), hashtag=("update", status))
        bob("PUT", f"/api/v1/statuses/{status}", status="more #bikes")
        page.expect(
            user=("status.update", status), public=("status.update", status), hashtag=("status.update", status))
        mine = ada.post("mine", visibility="unlisted")
        page.expect(user=("update", mine))
        bob("POST", f"/api/v1/statuses/{mine}/favourite")
        page.expect(user=("notification", mine))
        secret = bob.post("psst @ada", visibility="direct")
        page.expect(user=[("update", secret), ("notification", secret)], direct=("conversation", secret))
        ada("POST", "/api/v2/filters", title="tea", **{"context[]": "home"})
        page.expect(user=("filters_changed", ""))
        bob("DELETE", f"/api/v1/statuses/{status}")
        page.expect(user=("delete", status), public=("delete", status), hashtag=("delete", status))
        page.check_positions()


@step("missed events are sent first")
def _():
    with streams() as page:
        page.open("user", "user", access_token=ada.token)
        first = bob.post("first")
        page.expect(user=("update", first))
        page.followers.close("user")
        missed = [bob.post(f"missed {number}") for number in range(3)]
        since = page.received["user"][-1]["position"]
        page.open("again", "user", access_token=ada.token, since=since)
        page.expect(again=[("update", status) for status in missed])
        last = bob.post("last")
        page.expect(again=("update", last))
        page.check_positions()


@step("a wrong token closes the source")
def _():
    with streams() as page:
        page.followers.follow("user", "user", access_token="wrong-wrong-wrong-wrong")
        same(page.followers.receive()["event"], "closed")


step.finish()
