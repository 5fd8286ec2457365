"""Mastodon.py reads notifications. Usage: python mastodon_notifications.py http://HOST:PORT"""

from people import ask, blocked, ids, locked, muted, people
from steps import Steps, refused, same, true

step = Steps()
ada, bob, cleo = people("ada", "bob", "cleo")
ADA, BOB, CLEO = (str(person.account_verify_credentials().id) for person in (ada, bob, cleo))


def heard(person, **options):
    """The notifications as type, account and status, oldest first."""
    return [
        (entity.type, entity.account.username, str(entity.status.id) if entity.get("status") else None)
        for entity in reversed(person.notifications(**options))
    ]


def unread(person):
    return ask(person, "GET", "/api/v1/notifications/unread_count")["count"]


@step("a mention")
def _():
    ada.notifications_clear()
    status = bob.status_post("hi @ada")
    same(heard(ada), [("mention", "bob", str(status.id))])


@step("a reply")
def _():
    ada.notifications_clear()
    reply = bob.status_reply(ada.status_post("question"), "answer")
    same(heard(ada), [("mention", "bob", str(reply.id))])


@step("a follow")
def _():
    ada.notifications_clear()
    bob.account_follow(ADA)
    bob.account_follow(ADA)
    same(heard(ada), [("follow", "bob", None)])
    bob.account_unfollow(ADA)


@step("a follow request")
def _():
    ada.notifications_clear()
    with locked(ada):
        cleo.account_follow(ADA)
        same(heard(ada), [("follow_request", "cleo", None)])
        ada.follow_request_reject(CLEO)


@step("a favourite")
def _():
    ada.notifications_clear()
    status = ada.status_post("like me")
    for _ in range(2):
        bob.status_favourite(status)
    same(heard(ada), [("favourite", "bob", str(status.id))])


@step("a boost")
def _():
    ada.notifications_clear()
    status = ada.status_post("boost me")
    bob.status_reblog(status)
    same(heard(ada), [("reblog", "bob", str(status.id))])


@step("an edit of what one has boosted")
def _():
    bob.notifications_clear()
    status = ada.status_post("before")
    bob.status_reblog(status)
    ada.status_update(status, "after")
    same(heard(bob), [("update", "ada", str(status.id))])


@step("what one does oneself is no news")
def _():
    ada.notifications_clear()
    status = ada.status_post("@ada to myself")
    ada.status_favourite(status)
    ada.status_reblog(status)
    same(heard(ada), [])


@step("a status that is deleted takes its notifications along")
def _():
    ada.notifications_clear()
    status = bob.status_post("@ada never mind")
    bob.status_delete(status)
    same(heard(ada), [])


@step("a favourite that is taken back")
def _():
    ada.notifications_clear()
    status = ada.status_post("like me not")
    bob.status_favourite(status)
    bob.status_unfavourite(status)
    same(heard(ada), [])


def three():
    """A mention, a favourite and a boost, oldest first."""
    ada.notifications_clear()
    status = ada.status_post("three things")
    mention = bob.status_post("@ada a mention")
    bob.status_favourite(status)
    cleo.status_reblog(status)
    return str(status.id), str(mention.id)


@step("types")
def _():
    status, mention = three()
    same(heard(ada, types=["mention"]), [("mention", "bob", mention)], "one type")
    found = heard(ada, types=["favourite", "reblog"])
    same(found, [("favourite", "bob", status), ("reblog", "cleo", status)], "two types")


@step("exclude_types")
def _():
    status, mention = three()
    same(heard(ada, exclude_types=["favourite", "reblog"]), [("mention", "bob", mention)])
    same(heard(ada, mentions_only=True), [("mention", "bob", mention)], "mentions_only")


@step("one account's notifications")
def _():
    status, _mention = three()
    same(heard(ada, account_id=CLEO), [("reblog", "cleo", status)])


@step("a single notification")
def _():
    three()
    first = ada.notifications()[0]
    same(str(ada.notifications(id=first.id).id), str(first.id))
    refused(lambda: bob.notifications(id=first.id), "404")
    refused(lambda: ada.notifications(id=1), "404")


@step("dismiss one")
def _():
    three()
    found = ada.notifications()
    ada.notifications_dismiss(found[1].id)
    same(ids(ada.notifications()), ids([found[0], found[2]]))
    refused(lambda: ada.notifications(id=found[1].id), "404")


@step("clear")
def _():
    three()
    ada.notifications_clear()
    same(ids(ada.notifications()), [])


@step("unread count, and the marker that lowers it")
def _():
    three()
    same(unread(ada), 3, "before")
    newest, middle, _oldest = ada.notifications()
    ada.markers_set(["notifications"], [middle.id])
    same(unread(ada), 1, "after the second was read")
    ada.markers_set(["notifications"], [newest.id])
    same(unread(ada), 0, "after the newest was read")
    same(len(ada.notifications()), 3, "read ones stay")


@step("markers")
def _():
    status = ada.status_post("read up to here")
    done = ada.markers_set(["home"], [status.id])
    same(str(done["home"].last_read_id), str(status.id), "what setting returns")
    status = ada.status_post("and up to here")
    again = ada.markers_set(["home"], [status.id])
    true(again["home"].version > done["home"].version, "the version does not grow")
    found = ada.markers_get(["home", "notifications"])
    same(str(found["home"].last_read_id), str(status.id), "home")
    true(found["home"].updated_at is not None, "updated_at")
    same("home" in bob.markers_get(["home"]), False, "another's markers")


@step("a muted conversation is silent")
def _():
    status = ada.status_post("this will be long")
    ada.status_mute(status)
    ada.notifications_clear()
    reply = bob.status_reply(status, "and")
    cleo.status_reply(reply, "and")
    same(heard(ada), [], "muted")
    ada.status_unmute(status)
    heard_again = bob.status_reply(status, "so")
    same(heard(ada), [("mention", "bob", str(heard_again.id))], "unmuted")


@step("a muted account is silent, unless only its statuses are muted")
def _():
    ada.notifications_clear()
    with muted(ada, BOB):
        bob.status_post("@ada hello?")
        same(heard(ada), [], "muted")
    with muted(ada, BOB, notifications=False):
        status = bob.status_post("@ada hello!")
        same(heard(ada)[-1:], [("mention", "bob", str(status.id))], "notifications not muted")


@step("a blocked account is silent, and what it had said is gone")
def _():
    ada.notifications_clear()
    bob.status_post("@ada before")
    with blocked(ada, BOB):
        same(heard(ada), [], "old ones")
        bob.status_post("@ada after")
        same(heard(ada), [], "new ones")


step.finish()
