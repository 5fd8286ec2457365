"""Mastodon.py signs up where the operator approves sign-ups. Usage: python mastodon_approval.py http://HOST:PORT

The accounts must stay unapproved while this runs.
"""

from people import application, client, log_in
from steps import Steps, refused, same

step = Steps()
PENDING = "pending approval"


def sign_up(name, **options):
    person = client(application())
    person.create_account(name, "a long password", f"{name}@example.org", agreement=True, **options)
    return person


@step("the server says that it approves sign-ups")
def _():
    anyone = client()
    instance = (getattr(anyone, "instance_v1", None) or anyone.instance)()
    same((instance.registrations, instance.approval_required), (True, True))


@step("sign up with a reason, and get a token that does not work yet")
def _():
    eve = sign_up("eve", reason="I like feeds")
    refused(eve.account_verify_credentials, PENDING)
    # Mastodon.py does not show the message of an error where it expects a list.
    refused(eve.timeline_home, PENDING, "403")
    refused(lambda: eve.status_post("I am new here"), PENDING)


@step("the account is visible to nobody")
def _():
    sign_up("fay")
    ada = log_in("ada")
    refused(lambda: ada.account_lookup("fay"), "404")
    same(list(ada.account_search("fay")), [])
    same(list(ada.search("fay").accounts), [])


@step("log in with the password is refused")
def _():
    sign_up("gil")
    person = client(application())
    refused(lambda: person.log_in("gil", "a long password"), PENDING, "Invalid user name")


@step("the name is taken")
def _():
    sign_up("hal")
    refused(lambda: sign_up("HAL"), "Invalid request")


@step("a reserved name is refused")
def _():
    refused(lambda: sign_up("admin"), "Invalid request")


step.finish()
