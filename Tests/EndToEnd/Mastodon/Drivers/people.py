"""Mastodon.py, logged in. The accounts ada, bob, cleo and dora exist, with the password `secret`."""

import re
import sys
import time
import warnings
from contextlib import contextmanager
from functools import wraps

import mastodon
import requests

PASSWORD = "secretsecret"
SCOPES = ["read", "write", "follow", "push"]
# The rate limit window in seconds; it starts at the same time for all clients.
WINDOW = 300

# Deprecation warnings of Mastodon.py itself do not matter here.
warnings.simplefilter("ignore")


def base():
    if len(sys.argv) < 2:
        sys.exit(f"usage: {sys.argv[0]} http://HOST:PORT")
    return sys.argv[1].rstrip("/")


def application(**options):
    return mastodon.Mastodon.create_app("feed tests", api_base_url=base(), **options)


def client(keys=None, **options):
    """A client without a login, with the credentials of an application if given."""
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
    """Sends a request that Mastodon.py has no method for. Returns the JSON of the response."""
    headers = {"Authorization": "Bearer " + person.access_token}
    response = requests.request(method, base() + path, headers=headers, timeout=300, **options)
    if response.status_code != status:
        raise AssertionError(f"{method} {path} returned {response.status_code}: {response.text[:300]}")
    return response.json()


def ids(entities):
    return [str(entity["id"]) for entity in entities]


def texts(statuses):
    """The contents without their tags."""
    return [re.sub("<[^>]*>", "", status["content"]) for status in statuses]


def names(accounts):
    return [account["username"] for account in accounts]


def in_one_window(action):
    """Retries a step that failed because a rate limit window ended meanwhile, which resets all counts."""

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
    """Always removes the block, so that the next step is not affected."""
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
    """Locks the account, so that follows need approval."""
    person.account_update_credentials(locked=True)
    try:
        yield
    finally:
        person.account_update_credentials(locked=False)
