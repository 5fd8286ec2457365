"""toot pages through 100 statuses on a terminal. Usage: python toot_pages.py http://HOST:PORT"""

import json
import urllib.request

from steps import Steps, same
from toot_program import IS_OLD, PASSWORD, Toot, base, shown

COUNT = 100

step = Steps()
bob = Toot("bob")


def request(method, path, token=None, values=None):
    headers = {"Content-Type": "application/json"} | ({"Authorization": "Bearer " + token} if token else {})
    body = json.dumps(values).encode() if values is not None else None
    with urllib.request.urlopen(urllib.request.Request(base() + path, body, headers, method=method)) as response:
        return json.load(response)


def log_in():
    """The tokens of ada and bob, for posting without toot, which takes half a second per status."""
    keys = request("POST", "/api/v1/apps", values={"client_name": "x", "redirect_uris": "urn:ietf:wg:oauth:2.0:oob",
                                                   "scopes": "read write follow"})
    login = {"grant_type": "password", "password": PASSWORD, "scope": "read write follow",
             "client_id": keys["client_id"], "client_secret": keys["client_secret"]}
    return [request("POST", "/oauth/token", values=login | {"username": name})["access_token"]
            for name in ("ada", "bob")]


ada_token, bob_token = log_in()
texts = [{"status": f"number {number} #hundred"} for number in range(COUNT)]
posted = [request("POST", "/api/v1/statuses", ada_token, text)["id"] for text in texts]
wanted = list(reversed(posted))


@step("follow and bookmark")
def _():
    bob.run("follow", "ada")
    for status in posted:
        request("POST", f"/api/v1/statuses/{status}/bookmark", bob_token, {})


def turn(name, *arguments):
    @step(name)
    def _():
        found = shown(bob.pages(*arguments))
        same(found, wanted)


turn("home", "timeline", "-c", "7")
turn("public", "timeline", "--public", "-c", "7")
turn("hashtag", "timeline", "--tag", "hundred", "-c", "7")
turn("bookmarks", "bookmarks", "-c", "7")
if not IS_OLD:
    turn("account", "timeline", "--account", "ada", "-c", "7")
    turn("home, by the newer command", "timelines", "home", "--limit", "7", "--no-clear")
    turn("account, by the newer command", "timelines", "account", "ada", "--limit", "7", "--no-clear")


@step("reversed, page by page")
def _():
    found = shown(bob.pages("timeline", "-c", "10", "--reverse"))
    same([status for page in range(0, COUNT, 10) for status in reversed(found[page : page + 10])], wanted)


@step("once")
def _():
    same(shown(bob.run("timeline", "--once", "-c", "10")), wanted[:10])


step.finish()
