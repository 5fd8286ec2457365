"""Mastodon.py edits a profile. Usage: python mastodon_profile.py http://HOST:PORT"""

from people import ask, names, people
from steps import Steps, refused, same, true

step = Steps()
ada, bob = people("ada", "bob")
ADA = str(ada.account_verify_credentials().id)
EDIT = "/api/v1/accounts/update_credentials"


@step("display name and note")
def _():
    found = ada.account_update_credentials(display_name="Ada <3 ✨", note="I & #you\n\nhttps://example.org/")
    same(found.display_name, "Ada <3 ✨", "display_name")
    same(found.source.note, "I & #you\n\nhttps://example.org/", "source.note")
    seen = bob.account(ADA)
    same(seen.display_name, "Ada <3 ✨", "display_name for others")
    true("I &amp; " in seen.note and 'href="https://example.org/"' in seen.note, f"note is {seen.note}")


@step("a name is emptied")
def _():
    same(ask(ada, "PATCH", EDIT, data={"display_name": "", "note": ""})["display_name"], "")
    same(bob.account(ADA).note, "", "note")


@step("locked, bot, discoverable")
def _():
    found = ada.account_update_credentials(locked=True, bot=True, discoverable=False)
    same((found.locked, found.bot, found.discoverable), (True, True, False), "set")
    found = ada.account_update_credentials(locked=False, bot=False, discoverable=True)
    same((found.locked, found.bot, found.discoverable), (False, False, True), "unset")


@step("fields")
def _():
    fields = [("Home", "https://example.org/"), ("Pronouns", "she & her")]
    found = ada.account_update_credentials(fields=fields)
    same([(field.name, field.value) for field in found.source.fields], fields)
    seen = bob.account(ADA).fields
    same([field.name for field in seen], ["Home", "Pronouns"], "names")
    true('href="https://example.org/"' in seen[0].value, f"value is {seen[0].value}")
    same([field.verified_at for field in seen], [None, None], "verified_at")


@step("what is not named stays")
def _():
    ada.account_update_credentials(display_name="Ada", note="note")
    ada.account_update_credentials(note="another note")
    same(bob.account(ADA).display_name, "Ada", "display_name")


@step("defaults for statuses")
def _():
    data = {"source[privacy]": "private", "source[sensitive]": "true", "source[language]": "de"}
    source = ask(ada, "PATCH", EDIT, data=data)["source"]
    same((source["privacy"], source["sensitive"], source["language"]), ("private", True, "de"), "source")
    status = ask(ada, "POST", "/api/v1/statuses", data={"status": "by default"})
    same((status["visibility"], status["language"]), ("private", "de"), "a status")
    wish = ada.preferences()
    same(wish["posting:default:visibility"], "private", "visibility")
    same((wish["posting:default:sensitive"], wish["posting:default:language"]), (True, "de"))
    ask(ada, "PATCH", EDIT, json={"source": {"privacy": "public", "sensitive": False, "language": "en"}})
    same(ada.account_verify_credentials().source.privacy, "public", "set back by JSON")


@step("preferences have all documented keys")
def _():
    wanted = {f"posting:default:{name}" for name in ("visibility", "sensitive", "language")}
    wanted |= {"reading:expand:media", "reading:expand:spoilers"}
    same(wanted - set(ada.preferences()), set(), "what is missing")


@step("a name or note that is too long is refused, and nothing is changed")
def _():
    ada.account_update_credentials(display_name="Ada", note="short")
    refused(lambda: ada.account_update_credentials(display_name="x" * 500), "422")
    refused(lambda: ada.account_update_credentials(display_name="Eve", note="x" * 30000), "422")
    refused(lambda: ada.account_update_credentials(fields=[("x" * 3000, "y")]), "422")
    seen = bob.account(ADA)
    same((seen.display_name, ada.account_verify_credentials().source.note), ("Ada", "short"))


@step("a default that does not exist is refused")
def _():
    ask(ada, "PATCH", EDIT, status=422, data={"source[privacy]": "secret"})


@step("the name is found as soon as it is changed")
def _():
    ada.account_update_credentials(display_name="Countess Lovelace")
    same(names(bob.account_search("lovelace")), ["ada"])


@step("a profile has the addresses apps show")
def _():
    seen = bob.account(ADA)
    for key in ("url", "avatar", "avatar_static", "header", "header_static"):
        true(seen[key].startswith(ada.api_base_url), f"{key} is {seen[key]}")
        same(ada.session.get(seen[key], timeout=300).status_code, 200, key)


step.finish()
