"""Mastodon.py makes lists and follows hashtags. Usage: python mastodon_lists.py http://HOST:PORT"""

from contextlib import contextmanager

from people import ask, ids, names, people, texts
from steps import Steps, refused, same, true

step = Steps()
ada, bob, cleo, dora = people("ada", "bob", "cleo", "dora")
ADA, BOB, CLEO, DORA = (str(person.account_verify_credentials().id) for person in (ada, bob, cleo, dora))
for other in (BOB, CLEO):
    ada.account_follow(other)


@contextmanager
def made(title, members=(), **options):
    """A list of ada's, which is deleted in the end."""
    # Mastodon.py of Debian 12 knows only the title.
    found = ask(ada, "POST", "/api/v1/lists", data={"title": title, **options})
    try:
        if members:
            ada.list_accounts_add(found["id"], list(members))
        yield found["id"]
    finally:
        ada.list_delete(found["id"])


def follow_tag(person, name, action="follow"):
    return ask(person, "POST", f"/api/v1/tags/{name}/{action}")


@step("a list is made, renamed and deleted")
def _():
    found = ada.list_create("friends")
    same((found.title, found.replies_policy, found.exclusive), ("friends", "list", False), "new list")
    same(ids(ada.lists()), [str(found.id)], "lists")
    same(ada.list_update(found.id, "colleagues").title, "colleagues")
    same(ada.list(found.id).title, "colleagues")
    ada.list_delete(found.id)
    same(ids(ada.lists()), [], "lists")
    refused(lambda: ada.list(found.id), "404")


@step("accounts are added and removed")
def _():
    with made("friends") as friends:
        ada.list_accounts_add(friends, [BOB, CLEO])
        same(sorted(names(ada.list_accounts(friends))), ["bob", "cleo"], "members")
        same(ids(ada.account_lists(BOB)), [str(friends)], "lists with bob")
        ada.list_accounts_delete(friends, [BOB])
        same(names(ada.list_accounts(friends)), ["cleo"], "members")
        same(ids(ada.account_lists(BOB)), [], "lists with bob")


@step("only accounts one follows are added, and only once")
def _():
    with made("friends", [BOB]) as friends:
        refused(lambda: ada.list_accounts_add(friends, [DORA]), "404")
        refused(lambda: ada.list_accounts_add(friends, [BOB]), "422")
        refused(lambda: ada.list_accounts_add(friends, ["1"]), "404")
        same(names(ada.list_accounts(friends)), ["bob"], "members")


@step("nobody else sees a list")
def _():
    with made("friends", [BOB]) as friends:
        for action in (bob.list, bob.list_accounts, bob.timeline_list, bob.list_delete):
            refused(lambda: action(friends), "404")
        same(ids(bob.lists()), [], "bob's lists")


@step("the timeline of a list, page by page")
def _():
    with made("friends", [BOB]) as friends:
        posted = [str(bob.status_post(f"for the list {number}").id) for number in range(5)]
        cleo.status_post("not on the list")
        found = ada.timeline_list(friends, limit=2)
        same(ids(found), posted[:2:-1], "first page")
        same(ids(ada.fetch_next(found)), posted[2:0:-1], "second page")
        same(ids(ada.timeline_list(friends, min_id=posted[1], limit=1)), [posted[2]], "upwards")


@step("unfollowing ends the membership")
def _():
    with made("friends", [BOB, CLEO]) as friends:
        ada.account_unfollow(BOB)
        same(names(ada.list_accounts(friends)), ["cleo"], "members")
        ada.account_follow(BOB)
        same(names(ada.list_accounts(friends)), ["cleo"], "members")


@step("an exclusive list takes its members from home")
def _():
    status = str(bob.status_post("only on the list").id)
    with made("quiet", [BOB], exclusive="true") as quiet:
        true(status not in ids(ada.timeline_home()), "still at home")
        true(status in ids(ada.timeline_list(quiet)), "not on the list")
    true(status in ids(ada.timeline_home()), "not back at home")


@step("a list without replies")
def _():
    question = cleo.status_post("a question")
    answer = str(bob.status_post("an answer", in_reply_to_id=question).id)
    for policy, is_shown in (("none", False), ("list", False), ("followed", True)):
        with made("friends", [BOB], replies_policy=policy) as friends:
            same(answer in ids(ada.timeline_list(friends)), is_shown, policy)


@step("a hashtag is followed and unfollowed")
def _():
    found = follow_tag(ada, "Gardens")
    same((found["name"], found["following"]), ("gardens", True), "tag")
    true(all(isinstance(day["uses"], str) for day in found["history"]), "history")
    status = str(dora.status_post("my #gardens").id)
    true(status in ids(ada.timeline_home()), "not at home")
    same([tag["name"] for tag in ask(ada, "GET", "/api/v1/followed_tags")], ["gardens"], "followed_tags")
    same(ask(bob, "GET", "/api/v1/tags/gardens")["following"], False, "for bob")
    same(follow_tag(ada, "gardens", "unfollow")["following"], False)
    true(status not in ids(ada.timeline_home()), "still at home")


if hasattr(ada, "tag_follow"):

    @step("hashtags, with the methods of Mastodon.py")
    def _():
        same(ada.tag_follow("kites").following, True)
        same(ada.tag("kites").following, True)
        same([tag.name for tag in ada.followed_tags()], ["kites"], "followed_tags")
        same(ada.tag_unfollow("kites").following, False)
        same([tag.name for tag in ada.followed_tags()], [], "followed_tags")

    @step("lists, with all their properties")
    def _():
        found = ada.list_create("all", replies_policy="none", exclusive=True)
        same((found.replies_policy, found.exclusive), ("none", True), "new list")
        found = ada.list_update(found.id, "changed", replies_policy="followed", exclusive=False)
        same((found.title, found.replies_policy, found.exclusive), ("changed", "followed", False), "changed list")
        ada.list_delete(found.id)


@step("what is no hashtag is not followed")
def _():
    for name in ("123", "a-b"):
        ask(ada, "POST", f"/api/v1/tags/{name}/follow", status=404)
    same(texts([ada.status_post("still here")]), ["still here"])


step.finish()
