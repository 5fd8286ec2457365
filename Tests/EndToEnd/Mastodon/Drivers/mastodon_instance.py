"""Mastodon.py reads the instance. Usage: python mastodon_instance.py http://HOST:PORT

The server limits rates, since one step looks at what Mastodon.py makes of that.
"""

import datetime

from people import application, base, client, in_one_window, log_in
from steps import Steps, refused, same, true

step = Steps()
HOST = base().split("//")[1]


@step("version")
def _():
    anyone = client()
    true(anyone.retrieve_mastodon_version()[0].isdigit(), "version")
    true(anyone.verify_minimum_version("4.0.0"), "at least 4.0.0")


@step("instance, version 1")
def _():
    anyone = client()
    found = (getattr(anyone, "instance_v1", None) or anyone.instance)()
    same(found.uri, HOST, "uri")
    same(found.urls.streaming_api, "ws://" + HOST, "streaming_api")
    same(found.configuration.statuses.max_characters, 500, "max_characters")
    same(found.configuration.statuses.characters_reserved_per_url, 23, "characters_reserved_per_url")
    true(found.stats.user_count >= 1, "user_count")
    same(found.registrations, False, "registrations")


@step("instance, version 2")
def _():
    anyone = client()
    response = anyone.session.get(base() + "/api/v2/instance/", timeout=300)
    same(response.status_code, 200, "status")
    found = anyone.instance_v2() if hasattr(anyone, "instance_v2") else response.json()
    same(found["domain"], HOST, "domain")
    same(found["configuration"]["statuses"]["max_characters"], 500, "max_characters")
    same(found["configuration"]["urls"]["streaming"], "ws://" + HOST, "streaming")
    true(found["configuration"]["vapid"]["public_key"] == "", "vapid")
    same(found["registrations"]["enabled"], False, "registrations")


@step("streaming is healthy")
def _():
    true(client().stream_healthy(), "stream_healthy")


@step("nobody can sign up unless the server is open")
def _():
    eve = client(application())
    refused(lambda: eve.create_account("eve", "a password", "eve@example.org", agreement=True), "Invalid request")
    refused(lambda: client().account_lookup("eve"), "404")


@step("rules")
def _():
    true(isinstance(client().instance_rules(), list), "no list")


@step("nodeinfo")
def _():
    found = client().instance_nodeinfo()
    same((found.version, found.software.name), ("2.0", "feedserver"))
    true(found.usage.users.total >= 1 and "mastodon" not in found.protocols, str(found))


@step("health")
def _():
    true(client().instance_health(), "unhealthy")


@step("the server's time")
def _():
    # The old Mastodon.py returns times without a time zone.
    found = client().get_approx_server_time().replace(tzinfo=datetime.timezone.utc)
    distance = abs(found - datetime.datetime.now(datetime.timezone.utc))
    true(distance < datetime.timedelta(hours=1), f"it is {found} there")


@step("rate limits are told, and go down")
@in_one_window
def _():
    person = log_in("ada")
    person.account_verify_credentials()
    before = person.ratelimit_remaining
    person.account_verify_credentials()
    true(person.ratelimit_reset is not None, "no reset")
    left = person.ratelimit_remaining
    true(person.ratelimit_limit >= before > left >= 0, f"{before}, then {left}")


step.finish()
