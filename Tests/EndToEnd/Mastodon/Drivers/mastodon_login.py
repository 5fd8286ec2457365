"""Mastodon.py logs in, in all ways it supports. Usage: python mastodon_login.py http://HOST:PORT"""

from urllib.parse import parse_qs, urlsplit

from browser import Browser
from people import PASSWORD, application, base, client, log_in
from steps import Steps, refused, same, true

step = Steps()
FAR = "http://app.test/callback"


def old_or_new(action, **options):
    """Newer versions require an option for plain HTTP."""
    try:
        return action(allow_http=True, **options)
    except TypeError:
        return action(**options)


@step("an application is registered")
def _():
    identity, secret = application(website="http://app.test")
    true(identity and secret, "keys are empty")


@step("password login")
def _():
    me = log_in("ada").account_verify_credentials()
    same(me.username, "ada")
    same(me.source.privacy, "public", "default visibility")


@step("a username is found in any letter case")
def _():
    same(log_in("ADA").account_verify_credentials().username, "ada")


@step("a wrong password is refused")
def _():
    refused(lambda: client(application()).log_in("ada", "wrong"), "Invalid user name", "MastodonIllegalArgument")


@step("an unknown name is refused alike")
def _():
    refused(lambda: client(application()).log_in("nobody", "wrong"), "Invalid user name", "MastodonIllegalArgument")


@step("the application of a token is shown")
def _():
    same(log_in("ada").app_verify_credentials().name, "feed tests")


@step("browser login, the code shown on the page")
def _():
    person = client(application())
    found = Browser().authorize(old_or_new(person.auth_request_url), "ada", PASSWORD)
    person.log_in(code=found["code"])
    same(person.account_verify_credentials().username, "ada")
    person.status_post("logged in by a browser")


@step("a code is good for one login")
def _():
    keys = application()
    found = Browser().authorize(old_or_new(client(keys).auth_request_url), "ada", PASSWORD)
    client(keys).log_in(code=found["code"])
    refused(lambda: client(keys).log_in(code=found["code"]), "Invalid access token", "MastodonIllegalArgument")


@step("a code is no good for another application")
def _():
    found = Browser().authorize(old_or_new(client(application()).auth_request_url), "ada", PASSWORD)
    refused(lambda: client(application()).log_in(code=found["code"]), "MastodonIllegalArgument")


@step("browser login, sent back to the application")
def _():
    person = client(application(redirect_uris=FAR))
    address = old_or_new(person.auth_request_url, redirect_uris=FAR, state="x y&z")
    found = Browser().authorize(address, "ada", PASSWORD)
    same(found.get("state"), "x y&z", "state")
    person.log_in(code=found["code"], redirect_uri=FAR)
    same(person.account_verify_credentials().username, "ada")


@step("an address that is not registered is no redirect")
def _():
    person = client(application(redirect_uris=FAR))
    browser = Browser()
    browser.open(old_or_new(person.auth_request_url, redirect_uris="http://evil.test/"))
    same(browser.status in (400, 401, 403, 422), True, f"{browser.status} as an error")


@step("a wrong password in the browser shows the page again")
def _():
    person = client(application(redirect_uris=FAR))
    browser = Browser()
    page = browser.answer(browser.open(old_or_new(person.auth_request_url, redirect_uris=FAR)), "ada", "wrong", True)
    true(any(form.has_password() for form in page.forms), f"{browser.status} without a password field")
    true("wrong" not in browser.text.split("<form")[-1], "the password is in the page")


@step("who says no in the browser is sent back without a code")
def _():
    person = client(application(redirect_uris=FAR))
    address = old_or_new(person.auth_request_url, redirect_uris=FAR, state="1")
    found = Browser().authorize(address, "ada", PASSWORD, consents=False)
    same(found.get("error"), "access_denied", "error")
    true("code" not in found, "there is a code")


@step("the login page responds to the address with and without a slash")
def _():
    address = urlsplit(old_or_new(client(application()).auth_request_url))
    true(parse_qs(address.query)["client_id"], "no client_id")
    for path in ("/oauth/authorize", "/oauth/authorize/"):
        browser = Browser()
        page = browser.open(base() + path + "?" + address.query)
        same(browser.status, 200, path)
        true(any(form.has_password() for form in page.forms), f"no password field on {path}")


@step("a token does what its scopes say and no more")
def _():
    person = log_in("ada", application(scopes=["read"]), scopes=["read"])
    same(person.account_verify_credentials().username, "ada")
    refused(lambda: person.status_post("not mine to write"), "403")


@step("scopes an application did not ask for are refused")
def _():
    refused(lambda: log_in("ada", application(scopes=["read"]), scopes=["read", "write"]))


@step("a revoked token is no token")
def _():
    person = log_in("ada")
    token = person.access_token
    old_or_new(person.revoke_access_token)
    person.access_token = token
    refused(person.account_verify_credentials, "401")


@step("who is not logged in reads what is public, and only that")
def _():
    log_in("ada").status_post("for everyone")
    stranger = client()
    true(stranger.timeline_public(), "the public timeline is empty")
    refused(stranger.timeline_home, "401")
    refused(stranger.account_verify_credentials, "401")


@step("the token response has what apps read")
def _():
    import requests

    identity, secret = application()
    response = requests.post(
        base() + "/oauth/token",
        json={"grant_type": "client_credentials", "client_id": identity, "client_secret": secret, "scope": "read"},
        timeout=300,
    ).json()
    same((response["token_type"], response["scope"]), ("Bearer", "read"))
    true(isinstance(response["created_at"], int), "created_at is not a number")
    true("expires_in" not in response or isinstance(response["expires_in"], int), "expires_in is not a number")


step.finish()
