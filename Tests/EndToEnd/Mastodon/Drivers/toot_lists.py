"""toot makes lists and follows hashtags. Usage: python toot_lists.py http://HOST:PORT"""

from steps import Steps, refused, same, true
from toot_program import IS_OLD, Toot, shown

step = Steps()
ada, bob, cleo = Toot("ada"), Toot("bob"), Toot("cleo")
ada.run("follow", "bob")


def tags(verb, *arguments):
    return ada.run(f"tags_{verb}", *arguments) if IS_OLD else ada.run("tags", verb, *arguments)


@step("hashtags are followed and unfollowed")
def _():
    true("following" in tags("follow", "#kites"), "not followed")
    true("#kites" in tags("followed"), "not in the list")
    status = cleo.post("look, #Kites")
    true(status in shown(ada.run("timeline", "-1")), "not at home")
    tags("unfollow", "kites")
    true("#kites" not in tags("followed"), "still in the list")
    true(status not in shown(ada.run("timeline", "-1")), "still at home")


if not IS_OLD:

    @step("a hashtag and whether it is followed")
    def _():
        cleo.post("once more #kites")
        true("Not followed" in tags("info", "kites"), "followed at first")
        tags("follow", "kites")
        true("Not followed" not in tags("info", "kites"), "not followed")
        tags("unfollow", "kites")

    @step("a list is created, shown and deleted")
    def _():
        ada.run("lists", "create", "friends", "--replies-policy", "followed")
        found = ada.json("lists", "list")
        same([(entity["title"], entity["replies_policy"]) for entity in found], [("friends", "followed")], "lists")
        true("friends" in ada.run("lists", "list"), "not in the table")
        ada.run("lists", "delete", "friends")
        same(ada.json("lists", "list"), [], "lists")

    @step("accounts are added and removed, and the list is read")
    def _():
        ada.run("lists", "create", "friends")
        ada.run("lists", "add", "friends", "bob")
        same([entity["acct"] for entity in ada.json("lists", "accounts", "friends")], ["bob"], "members")
        status, other = bob.post("for friends"), cleo.post("for others")
        said = shown(ada.run("timeline", "--list", "friends", "-1"))
        same((status in said, other in said), (True, False), "timeline")
        refused(lambda: ada.run("lists", "add", "friends", "cleo"), "You must follow")
        ada.run("lists", "remove", "friends", "bob")
        same(ada.json("lists", "accounts", "friends"), [], "members")
        ada.run("lists", "delete", "friends")


step.finish()
