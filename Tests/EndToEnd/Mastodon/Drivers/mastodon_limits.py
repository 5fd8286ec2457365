"""Mastodon.py runs into rate limits. Usage: python mastodon_limits.py http://HOST:PORT

The server accepts 40 requests in five minutes (`--rate-limit 40`).
"""

import time

import mastodon
import requests

from people import base, in_one_window, log_in
from steps import Steps, refused, same, true

step = Steps()
LIMIT = 40
ada, bob = log_in("ada"), log_in("bob")


def use_up(person):
    """Sends requests until one is rejected. Returns the number of successful requests."""
    for count in range(2 * LIMIT):
        try:
            person.account_verify_credentials()
        except mastodon.MastodonRatelimitError:
            return count
    raise AssertionError("there is no limit")


@step("the limit is told, and holds")
@in_one_window
def _():
    ada.account_verify_credentials()
    same(ada.ratelimit_limit, LIMIT, "limit")
    left = ada.ratelimit_remaining
    same(use_up(ada), left, "accepted requests")
    same(ada.ratelimit_remaining, 0, "remaining")
    true(time.time() < ada.ratelimit_reset <= time.time() + 310, f"reset in {ada.ratelimit_reset - time.time()} s")


@step("a refusal says when to come back")
@in_one_window
def _():
    use_up(ada)
    response = requests.get(base() + "/api/v1/timelines/home", headers={"Authorization": "Bearer " + ada.access_token},
                          timeout=300)
    same(response.status_code, 429, "status")
    true(isinstance(response.json()["error"], str), "no error")
    true(0 < int(response.headers["Retry-After"]) <= 300, f"Retry-After is {response.headers['Retry-After']}")
    told = [name for name in response.headers if name.lower().startswith("x-ratelimit-")]
    same(len(told), 3, f"{told}")


@step("one person's limit is not another's")
def _():
    use_up(ada)
    same(bob.account_verify_credentials().username, "bob")


@step("what is refused is not done")
@in_one_window
def _():
    use_up(ada)
    refused(lambda: ada.status_post("too much"), "Hit rate limit")
    true("too much" not in str(bob.timeline_public()), "it was posted")


step.finish()
