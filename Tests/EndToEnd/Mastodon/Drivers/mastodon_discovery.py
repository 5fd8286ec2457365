"""Mastodon.py reads conversations, hashtags, trends, suggestions, the directory and custom emoji.
Usage: python mastodon_discovery.py http://HOST:PORT"""

import time

from people import ask, client, ids, names, people
from steps import Steps, refused, same, true

step = Steps()
ada, bob, cleo, dora = people("ada", "bob", "cleo", "dora")
ADA, BOB, CLEO = (str(person.account_verify_credentials().id) for person in (ada, bob, cleo))


def conversation(person, status):
    """The conversation that ends with a status."""
    wanted = str(status.id)
    found = [entry for entry in person.conversations() if entry.last_status and str(entry.last_status.id) == wanted]
    true(len(found) == 1, f"{len(found)} conversations end with the status")
    return found[0]


@step("a direct status is a conversation of both")
def _():
    status = ada.status_post("@bob only you", visibility="direct")
    theirs, own = conversation(bob, status), conversation(ada, status)
    same(theirs.unread, True, "unread for bob")
    same(own.unread, False, "unread for ada")
    same(names(theirs.accounts), ["ada"])
    same(names(own.accounts), ["bob"])
    true(all(str(entry.last_status.id) != str(status.id) for entry in cleo.conversations()), "cleo has it")


@step("a conversation is marked as read until the next status")
def _():
    status = ada.status_post("@bob read this", visibility="direct")
    same(bob.conversations_read(conversation(bob, status).id).unread, False)
    same(conversation(bob, status).unread, False)
    reply = ada.status_post("@bob and this", visibility="direct", in_reply_to_id=status.id)
    same(conversation(bob, reply).unread, True)


@step("a deleted conversation returns with the next status")
def _():
    status = ada.status_post("@bob to be hidden", visibility="direct")
    ask(bob, "DELETE", f"/api/v1/conversations/{conversation(bob, status).id}")
    true(all(str(entry.last_status.id) != str(status.id) for entry in bob.conversations()), "it is there")
    reply = ada.status_post("@bob once more", visibility="direct", in_reply_to_id=status.id)
    conversation(bob, reply)


@step("a deleted status leaves the one before it")
def _():
    status = ada.status_post("@bob first", visibility="direct")
    reply = bob.status_post("@ada second", visibility="direct", in_reply_to_id=status.id)
    conversation(ada, reply)
    bob.status_delete(reply.id)
    conversation(ada, status)


@step("conversations in pages")
def _():
    posted = [ada.status_post(f"@cleo {number}", visibility="direct") for number in range(5)]
    found, page = [], cleo.conversations(limit=2)
    while page:
        found += [str(entry.last_status.id) for entry in page]
        page = cleo.fetch_next(page)
    same(found[:5], ids(reversed(posted)))


@step("conversations of others are unknown")
def _():
    status = ada.status_post("@bob secret", visibility="direct")
    entry = conversation(bob, status)
    ask(cleo, "POST", f"/api/v1/conversations/{entry.id}/read", status=404)
    ask(cleo, "DELETE", f"/api/v1/conversations/{entry.id}", status=404)


@step("the history of a hashtag has seven days")
def _():
    # The day, in UTC, must not end before the history is read.
    rest = 86_400 - time.time() % 86_400
    if rest < 60:
        time.sleep(rest + 1)
    ada.status_post("#weather is fine")
    bob.status_post("#Weather is not")
    tag = ask(ada, "GET", "/api/v1/tags/Weather")
    same(tag["name"], "weather")
    same([(day["uses"], day["accounts"]) for day in tag["history"]], [("2", "2")] + 6 * [("0", "0")])
    true(all(isinstance(day["day"], str) for day in tag["history"]), "a day is no text")


@step("featured hashtags")
def _():
    ada.status_post("about #Gardens and #sky")
    tag = ada.featured_tag_create("Gardens")
    same(tag.name, "Gardens")
    same(int(tag.statuses_count), 1, "statuses_count")
    same([tag.name for tag in ada.featured_tags()], ["Gardens"])
    same([tag.name for tag in bob.account_featured_tags(ADA)], ["Gardens"])
    true("gardens" not in [tag.name for tag in ada.featured_tag_suggestions()], "a featured hashtag is suggested")
    true("sky" in [tag.name for tag in ada.featured_tag_suggestions()], "no suggestion")
    refused(lambda: ada.featured_tag_create("two words"))
    refused(lambda: bob.featured_tag_delete(tag.id))
    ada.featured_tag_delete(tag.id)
    same(len(ada.featured_tags()), 0, "featured hashtags")


@step("accounts that are followed by those one follows are suggested")
def _():
    dora.account_follow(ADA)
    ada.account_follow(CLEO)
    found = ask(dora, "GET", "/api/v2/suggestions")
    same([entry["account"]["username"] for entry in found][:1], ["cleo"])
    same(found[0]["sources"], ["friends_of_friends"])
    true("ada" not in names(ask(dora, "GET", "/api/v1/suggestions")), "a followed account is suggested")
    true(len(dora.suggestions()) > 0, "no suggestions")
    dora.suggestion_delete(CLEO)
    true("cleo" not in names(ask(dora, "GET", "/api/v1/suggestions")), "a dismissed account is suggested")


@step("the directory lists accounts by activity and by age")
def _():
    cleo.status_post("the newest")
    same(names(ask(ada, "GET", "/api/v1/directory", params={"order": "active", "limit": 1})), ["cleo"])
    same(names(dora.directory(order="new")), ["dora", "cleo", "bob", "ada"])
    same(names(dora.directory(order="new", limit=1, offset=1, local=True)), ["cleo"])
    dora.account_update_credentials(discoverable=False)
    true("dora" not in names(client().directory(order="new")), "who does not want to be found is listed")
    dora.account_update_credentials(discoverable=True)


@step("trends, which are found once an hour")
def _():
    for found in (ada.trending_tags(), ada.trending_statuses(), ada.trending_links(), ask(ada, "GET", "/api/v1/trends")):
        true(isinstance(found, list), "trends are no list")


@step("custom emoji, on a server without any")
def _():
    same(len(client().custom_emojis()), 0)


step.finish()
