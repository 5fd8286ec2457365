"""Mastodon.py filters statuses, endorses accounts and writes notes. Usage: python mastodon_filters.py http://HOST:PORT

The version of Debian 12 has no methods for filters of version 2.
"""

import time

from people import ask, ids, names, people
from steps import Steps, refused, same, true

step = Steps()
ada, bob, cleo, dora = people("ada", "bob", "cleo", "dora")
ADA, BOB, CLEO, DORA = (str(person.account_verify_credentials().id) for person in (ada, bob, cleo, dora))


def marks(statuses):
    """The titles of the filters that match the first status."""
    return [result["filter"]["title"] for result in statuses[0]["filtered"]]


def soon(condition, what):
    """Waits for a condition that time alone makes true."""
    end = time.monotonic() + 300
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.2)
    raise AssertionError(f"never: {what}")


def add(title, context, *keywords, **more):
    attributes = [{"keyword": keyword} for keyword in keywords]
    body = {"title": title, "context": context, "keywords_attributes": attributes, **more}
    return ask(ada, "POST", "/api/v2/filters", json=body)


def remove(entity):
    same(ask(ada, "DELETE", f"/api/v2/filters/{entity['id']}"), {})


@step("a filter of version 1")
def _():
    made = ada.filter_create("Cats", ["home", "public"], irreversible=True, whole_word=True, expires_in=3600)
    same((made.phrase, made.context, made.irreversible, made.whole_word), ("Cats", ["home", "public"], True, True))
    true(made.expires_at is not None, "no expires_at")
    same(ids(ada.filters()), [str(made.id)], "filters")
    same(ada.filter(made.id).phrase, "Cats")
    changed = ada.filter_update(made.id, phrase="Dogs", context=["thread"], whole_word=False)
    same((changed.phrase, changed.context, changed.whole_word), ("Dogs", ["thread"], False))
    same(bob.filters(), [], "filters of others")
    refused(lambda: bob.filter(made.id), "404")
    ada.filter_delete(made.id)
    same(ada.filters(), [], "filters")


@step("a filter of version 2 and its keywords")
def _():
    made = add("Cats", ["home"], "cat", "purr", filter_action="hide")
    same([keyword["keyword"] for keyword in made["keywords"]], ["cat", "purr"])
    path = f"/api/v2/filters/{made['id']}"
    more = ask(ada, "POST", path + "/keywords", data={"keyword": "meow", "whole_word": "false"})
    same((more["keyword"], more["whole_word"]), ("meow", False))
    first = made["keywords"][0]["id"]
    body = {"title": "Felines", "keywords_attributes": [{"id": first, "_destroy": True}, {"keyword": "lion"}]}
    changed = ask(ada, "PUT", path, json=body)
    same([keyword["keyword"] for keyword in changed["keywords"]], ["purr", "meow", "lion"])
    same((changed["title"], changed["filter_action"]), ("Felines", "hide"))
    same(len(ada.filters()), 3, "filters of version 1")
    ask(bob, "GET", path, status=404)
    remove(made)
    same(ask(ada, "GET", "/api/v2/filters"), [])


@step("home, public and thread are marked, each by its filters")
def _():
    ada.account_follow(BOB)
    made = [add(context, [context], "cats") for context in ("home", "public", "thread", "account", "notifications")]
    status = bob.status_post("@ada I like CATS!")
    same(marks(ada.timeline_home(limit=1)), ["home"])
    same(marks(ada.timeline_public(limit=1)), ["public"])
    same(marks(ada.account_statuses(BOB, limit=1)), ["account"])
    same(marks([ada.status(status)]), ["thread"])
    same(marks([ada.notifications(limit=1)[0].status]), ["notifications"])
    same(marks(bob.timeline_public(limit=1)), [], "another viewer")
    result = ada.timeline_home(limit=1)[0].filtered[0]
    same((result["keyword_matches"], result["status_matches"]), (["cats"], None))
    for entity in made:
        remove(entity)
    same(marks(ada.timeline_home(limit=1)), [], "after removing the filters")


@step("a status in a filter, and its boost")
def _():
    made = add("that one", ["home"])
    status = cleo.status_post("harmless")
    entry = ask(ada, "POST", f"/api/v2/filters/{made['id']}/statuses", data={"status_id": str(status.id)})
    same(entry["status_id"], str(status.id))
    bob.status_reblog(status)
    found = ada.timeline_home(limit=1)
    same((marks(found), marks([found[0].reblog])), (["that one"], ["that one"]))
    same([str(id) for id in found[0].filtered[0]["status_matches"]], [str(status.id)])
    ask(ada, "DELETE", f"/api/v2/filters/statuses/{entry['id']}")
    same(marks(ada.timeline_home(limit=1)), [])
    remove(made)


@step("a filter expires by itself")
def _():
    bob.status_post("soon forgotten")
    made = add("short", ["home"], "forgotten", expires_in=2)
    soon(lambda: marks(ada.timeline_home(limit=1)) == [], "the mark disappears")
    same(ids(ask(ada, "GET", "/api/v2/filters")), [str(made["id"])], "filters")
    remove(made)


@step("endorsements")
def _():
    refused(lambda: dora.account_pin(BOB), "422")
    dora.account_follow(BOB)
    same(dora.account_pin(BOB).endorsed, True)
    same(names(ask(dora, "GET", "/api/v1/endorsements")), ["bob"])
    same(names(ask(ada, "GET", f"/api/v1/accounts/{DORA}/endorsements")), ["bob"])
    same(dora.account_unpin(BOB).endorsed, False)
    dora.account_pin(BOB)
    dora.account_unfollow(BOB)
    same(ask(dora, "GET", "/api/v1/endorsements"), [])


@step("private notes")
def _():
    same(ada.account_note_set(CLEO, "met in <Berlin>").note, "met in <Berlin>")
    same(ada.account_relationships(CLEO)[0].note, "met in <Berlin>")
    same(cleo.account_relationships(ADA)[0].note, "")
    same(ada.account_note_set(CLEO, "").note, "")


@step("familiar followers, unless they are hidden")
def _():
    bob.account_follow(DORA)
    ada.account_follow(BOB)
    same(names(ada.account_familiar_followers(DORA)[0].accounts), ["bob"])
    same(names(ada.account_followers(DORA)), ["bob"])
    hidden = ask(dora, "PATCH", "/api/v1/accounts/update_credentials", data={"hide_collections": "true"})
    same((hidden["hide_collections"], hidden["indexable"], hidden["roles"]), (True, True, []))
    same(names(ada.account_followers(DORA)), [])
    same(names(dora.account_followers(DORA)), ["bob"])
    same(names(ada.account_familiar_followers(DORA)[0].accounts), [])


step.finish()
