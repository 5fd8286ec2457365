"""Mastodon.py listens to streams. Usage: python mastodon_streaming.py http://HOST:PORT"""

import queue
import threading
from contextlib import contextmanager

import mastodon
from people import ask, blocked, client, people
from steps import Steps, same

# A limit that only ends a step that would otherwise hang.
LIMIT = 300

step = Steps()
ada, bob, cleo, dora = people("ada", "bob", "cleo", "dora")
BOB, CLEO = (person.account_verify_credentials() for person in (bob, cleo))
for followed in (BOB, CLEO):
    ada.account_follow(followed)


class Listener(mastodon.StreamListener):
    """Collects events as pairs of a name and an id."""

    def __init__(self):
        super().__init__()
        self.events = queue.Queue()
        # The server sends a comment as soon as the stream is open.
        self.is_open = threading.Event()

    def handle_heartbeat(self):
        self.is_open.set()

    def on_update(self, status):
        self.events.put(("update", str(status["id"])))

    def on_status_update(self, status):
        self.events.put(("status.update", str(status["id"])))

    def on_delete(self, status_id):
        self.events.put(("delete", str(status_id)))

    def on_notification(self, notification):
        self.events.put(("notification", notification["type"]))

    def on_conversation(self, conversation):
        self.events.put(("conversation", str(conversation["last_status"]["id"])))

    def on_filters_changed(self):
        self.events.put(("filters_changed", ""))

    def on_unknown_event(self, name, unknown_event=None):
        self.events.put((name, "unknown"))

    def on_abort(self, err):
        self.events.put(("abort", repr(err)))

    def expect(self, *wanted):
        for event in wanted:
            same(self.events.get(timeout=LIMIT), event, "event")


@contextmanager
def listening(stream, *arguments, **options):
    listener = Listener()
    handle = stream(*arguments, listener=listener, run_async=True, timeout=LIMIT, **options)
    try:
        if not listener.is_open.wait(LIMIT):
            raise AssertionError("the stream was not opened")
        yield listener
    finally:
        handle.close()


def post(person, text, **options):
    return person.status_post(text, **options)


@step("posts, edits and deletions arrive at home")
def _():
    with listening(ada.stream_user) as home:
        # Each is awaited, because an event about a status that has been deleted meanwhile is not sent.
        status = post(bob, "hello")
        home.expect(("update", str(status.id)))
        ask(bob, "PUT", f"/api/v1/statuses/{status.id}", data={"status": "edited"})
        home.expect(("status.update", str(status.id)))
        # A boost of what is at home anyway is not shown.
        cleo.status_reblog(status)
        boost = cleo.status_reblog(post(dora, "boosted"))
        home.expect(("update", str(boost.id)))
        bob.status_delete(status)
        home.expect(("delete", str(status.id)))


@step("notifications arrive at home")
def _():
    status = post(ada, "mine")
    with listening(ada.stream_user) as home:
        bob.status_favourite(status)
        home.expect(("notification", "favourite"))
    ada.status_delete(status)


@step("conversations arrive")
def _():
    with listening(ada.stream_direct) as direct:
        status = post(bob, "psst @ada", visibility="direct")
        direct.expect(("conversation", str(status.id)))


@step("changed filters are announced")
def _():
    with listening(ada.stream_user) as home:
        created = ask(ada, "POST", "/api/v2/filters", data={"title": "tea", "context[]": "home"})
        home.expect(("filters_changed", ""))
        ask(ada, "DELETE", f"/api/v2/filters/{created['id']}")


@step("a hashtag is followed live")
def _():
    with listening(client().stream_hashtag, "Bikes") as bikes:
        post(bob, "no tag")
        status = post(bob, "#bikes")
        bikes.expect(("update", str(status.id)))


@step("a list is followed live")
def _():
    friends = ada.list_create("friends")
    ada.list_accounts_add(friends, [CLEO])
    with listening(ada.stream_list, friends) as listed:
        post(bob, "not listed")
        status = post(cleo, "listed")
        listed.expect(("update", str(status.id)))
    ada.list_delete(friends)


@step("public statuses arrive without a login")
def _():
    with listening(client().stream_public) as public, listening(client().stream_local) as local:
        post(bob, "unlisted", visibility="unlisted")
        status = post(bob, "public")
        for listener in (public, local):
            listener.expect(("update", str(status.id)))


@step("blocked people do not appear")
def _():
    with blocked(ada, CLEO), listening(ada.stream_public) as public:
        post(cleo, "blocked")
        status = post(bob, "visible")
        public.expect(("update", str(status.id)))
    ada.account_follow(CLEO)


step.finish()
