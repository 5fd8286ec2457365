"""toot follows, blocks, mutes and reads notifications. Usage: python toot_social.py http://HOST:PORT"""

import re

from steps import Steps, refused, same, true
from toot_program import IS_OLD, Toot, base, shown

step = Steps()
ada, bob, cleo = Toot("ada"), Toot("bob"), Toot("cleo")


def listed(said):
    """The accounts in a list printed by toot."""
    return re.findall(r"^\* @(\S+)", said, re.MULTILINE)


@step("an account is found, by name and by address")
def _():
    for name in ("ada", "@ada", "ADA", "ada@" + base().split("//")[1]):
        true("@ada" in bob.run("whois", name), name)
    refused(lambda: bob.run("whois", "nobody"), "Account not found")


@step("search")
def _():
    true("@ada" in bob.run("search", "ada"), "ada is not found")


@step("follow, unfollow, following, followers")
def _():
    bob.run("follow", "ada")
    same((listed(bob.run("following", "bob")), listed(bob.run("followers", "ada"))), (["ada"], ["bob"]), "lists")
    bob.run("unfollow", "ada")
    same((listed(bob.run("following", "bob")), listed(bob.run("followers", "ada"))), ([], []), "lists")


@step("mute and unmute")
def _():
    status = cleo.post("too loud")
    with bob.undoing("mute", "unmute", "cleo"):
        true(status not in shown(bob.run("timeline", "--public", "-1")), "still there")
    true(status in shown(bob.run("timeline", "--public", "-1")), "not back")


@step("block and unblock")
def _():
    status = cleo.post("rude")
    with bob.undoing("block", "unblock", "cleo"):
        true(status not in shown(bob.run("timeline", "--public", "-1")), "still there")
        refused(lambda: cleo.run("follow", "bob"), "not found", "not allowed")
    true(status in shown(bob.run("timeline", "--public", "-1")), "not back")


@step("notifications")
def _():
    ada.run("notifications", "--clear")
    status = ada.post("notice me")
    bob.run("favourite", status)
    bob.run("reblog", status)
    reply = bob.post("@ada I notice", "-r", status)
    bob.run("follow", "ada")
    said = ada.run("notifications")
    boosted = "reblogged your" if IS_OLD else "boosted your"
    for words in ("favourited your", boosted, "mentioned you", "now follows you"):
        true(words in said, f"no {words!r} in {said}")
    true(reply in shown(ada.run("notifications", "--mentions")), "the mention is missing")
    true("favourited" not in ada.run("notifications", "--mentions"), "not only mentions")
    bob.run("unfollow", "ada")


@step("notifications that the server groups are listed one by one")
def _():
    ada.run("notifications", "--clear")
    status = ada.post("popular")
    for fan in (bob, cleo):
        fan.run("favourite", status)
    said = ada.run("notifications")
    true("bob" in said and "cleo" in said and said.count("favourited your") == 2, said)
    bob.run("unfavourite", status)
    true("bob" not in ada.run("notifications"), "still there")


@step("notifications are cleared")
def _():
    bob.post("@ada once more")
    ada.run("notifications", "--clear")
    true("mentioned" not in ada.run("notifications"), "still there")


if not IS_OLD:

    @step("lists of the muted and the blocked")
    def _():
        with bob.undoing("mute", "unmute", "cleo"), bob.undoing("block", "unblock", "ada"):
            same([entity["acct"] for entity in bob.json("muted")], ["cleo"], "muted")
            same([entity["acct"] for entity in bob.json("blocked")], ["ada"], "blocked")

    @step("profile")
    def _():
        ada.run("update_account", "--display-name", "Ada L.", "--note", "I count.", "--locked", "--bot",
                "--privacy", "unlisted", "--sensitive", "--language", "de")
        found = ada.json("whoami")
        same((found["display_name"], found["source"]["note"]), ("Ada L.", "I count."))
        same((found["locked"], found["bot"]), (True, True), "flags")
        source = found["source"]
        same((source["privacy"], source["sensitive"], source["language"]), ("unlisted", True, "de"), "defaults")
        same(ada.json("status", ada.post("by default"))["visibility"], "unlisted", "visibility")
        ada.run("update_account", "--no-locked", "--no-bot", "--privacy", "public", "--no-sensitive")

    @step("follow requests")
    def _():
        ada.run("update_account", "--locked")
        for name, answer in ((bob, "accept"), (cleo, "reject")):
            name.run("follow", "ada")
            same([entity["acct"] for entity in ada.json("follow-requests", "list")], [name.name], "requests")
            ada.run("follow-requests", answer, name.name)
        same(listed(ada.run("followers", "ada")), ["bob"], "followers")
        ada.run("update_account", "--no-locked")

    @step("notifications by type")
    def _():
        ada.run("notifications", "--clear")
        status = ada.post("by type")
        bob.run("favourite", status)
        bob.post("@ada mention")
        same([entity["type"] for entity in ada.json("notifications", "-t", "favourite")], ["favourite"])
        same([entity["type"] for entity in ada.json("notifications", "-e", "favourite")], ["mention"])


step.finish()
