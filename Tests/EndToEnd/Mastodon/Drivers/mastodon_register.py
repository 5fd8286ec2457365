"""Mastodon.py signs up. Usage: python mastodon_register.py http://HOST:PORT

The server is open for registration.
"""

from people import PASSWORD, application, client, log_in, names
from steps import Steps, refused, same

step = Steps()


def sign_up(name, password="a long password", agreement=True):
    person = client(application())
    person.create_account(name, password, f"{name}@example.org", agreement=agreement)
    return person


@step("the server says that it is open")
def _():
    anyone = client()
    same((getattr(anyone, "instance_v1", None) or anyone.instance)().registrations, True)


@step("sign up, and be logged in")
def _():
    eve = sign_up("eve")
    same(eve.account_verify_credentials().username, "eve")
    status = eve.status_post("I am new here")
    same(names([client().status(status).account]), ["eve"])


@step("log in with the password afterwards")
def _():
    sign_up("fay")
    person = client(application())
    person.log_in("fay", "a long password")
    same(person.account_verify_credentials().username, "fay")


@step("a name that is taken is refused, in any letter case")
def _():
    for name in ("ada", "ADA"):
        refused(lambda: sign_up(name), "Invalid request")
    same(log_in("ada").account_verify_credentials().username, "ada", f"who logs in with {PASSWORD}")


@step("a name that is none is refused")
def _():
    for name in ("", "a b", "../etc", "a" * 300, "<b>", "é"):
        refused(lambda: sign_up(name), "Invalid request")


@step("without a password, or without agreeing, there is no account")
def _():
    refused(lambda: sign_up("gil", password=""), "Invalid request")
    refused(lambda: sign_up("gil", agreement=False), "Invalid request")
    refused(lambda: client().account_lookup("gil"), "404")


step.finish()
