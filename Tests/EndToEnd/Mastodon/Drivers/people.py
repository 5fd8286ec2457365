"""Mastodon.py, logged in. The accounts ada, bob, cleo and dora are there, with the password `secret`."""

import re
import sys
import time
import warnings
from contextlib import contextmanager
from functools import wraps

import mastodon
import requests

PASSWORD = "secret"
SCOPES = ["read", "write", "follow", "push"]
# Seconds in which requests are counted together; such windows begin for everybody at the same time.
WINDOW = 300

# Its own deprecations are none of our business.
warnings.simplefilter("ignore")


def base():
    if len(sys.argv) < 2:
        sys.exit(f"usage: {sys.argv[0]} http://HOST:PORT")
    return sys.argv[1].rstrip("/")


def application(**options):
    return mastodon.Mastodon.create_app("feed tests", api_base_url=base(), **options)


def client(keys=None, **options):
    """A client that is not logged in; with the keys of an application if one is given."""
    names = dict(zip(("client_id", "client_secret"), keys or ()))
    return mastodon.Mastodon(api_base_url=base(), ratelimit_method="throw", **names, **options)


def log_in(name, keys=None, scopes=SCOPES):
    person = client(keys or application())
    person.log_in(name, PASSWORD, scopes=scopes)
    return person


def people(*names):
    keys = application()
    return [log_in(name, keys) for name in names]


def ask(person, method, path, status=200, **options):
    """A request Mastodon.py has no method for. Returns the JSON of the answer."""
    headers = {"Authorization": "Bearer " + person.access_token}
    answer = requests.request(method, base() + path, headers=headers, timeout=300, **options)
    if answer.status_code != status:
        raise AssertionError(f"{method} {path} answered {answer.status_code}: {answer.text[:300]}")
    return answer.json()


def ids(entities):
    return [str(entity["id"]) for entity in entities]


def texts(statuses):
    """The contents without their tags."""
    return [re.sub("<[^>]*>", "", status["content"]) for status in statuses]


def names(accounts):
    return [account["username"] for account in accounts]


def in_one_window(action):
    """Runs a step again that failed because a window of the rate limits ended meanwhile: all counts began anew then."""

    @wraps(action)
    def run():
        while True:
            window = time.time() // WINDOW
            try:
                return action()
            except Exception:
                if time.time() // WINDOW == window:
                    raise

    return run


@contextmanager
def blocked(person, other):
    """Takes the block back, whatever happens, so that the next step is not disturbed."""
    try:
        yield person.account_block(other)
    finally:
        person.account_unblock(other)


@contextmanager
def muted(person, other, **options):
    try:
        yield person.account_mute(other, **options)
    finally:
        person.account_unmute(other)


@contextmanager
def locked(person):
    """Asks who may follow."""
    person.account_update_credentials(locked=True)
    try:
        yield
    finally:
        person.account_update_credentials(locked=False)
