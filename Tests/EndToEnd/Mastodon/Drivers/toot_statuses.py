"""toot posts and acts on statuses. Usage: python toot_statuses.py http://HOST:PORT"""

from steps import Steps, refused, same, true
from toot_program import IS_OLD, Toot, shown

step = Steps()
ada, bob = Toot("ada"), Toot("bob")


@step("post")
def _():
    # Not <world>, which the old toot interprets as a color.
    status = ada.post("1 < 2 & you 中文 🎉")
    said = bob.run("thread", status)
    same(shown(said), [status])
    true("1 < 2 & you 中文 🎉" in said and "@ada" in said, said)


@step("post with all there is")
def _():
    status = ada.post("careful #tag", "-p", "a warning", "-v", "unlisted", "-s", "-l", "de")
    if not IS_OLD:
        found = bob.json("status", status)
        wanted = ("a warning", "unlisted", True, "de")
        same((found["spoiler_text"], found["visibility"], found["sensitive"], found["language"]), wanted)
    true(status not in shown(bob.run("timeline", "--public", "-1")), "unlisted, but in the public timeline")


@step("post from a pipe")
def _():
    true("Toot posted: http" in ada.run("post", given="line one\n\nline two"), "not posted")


@step("a post that is too long is refused with the reason")
def _():
    refused(lambda: ada.post("x" * 501), "500", "limit")


@step("reply and thread")
def _():
    question = ada.post("a question")
    reply = bob.post("@ada an answer", "-r", question)
    said = ada.run("thread", question)
    same(shown(said), [question, reply])
    true("In reply to" in said, said)
    same(shown(ada.run("thread", reply)), [question, reply], "seen from the answer")


@step("a reply to what is not there is refused")
def _():
    refused(lambda: ada.post("hello?", "-r", "1"))


@step("home")
def _():
    bob.run("follow", "ada")
    status = ada.post("for my followers")
    same(shown(bob.run("timeline", "-1", "-c", "1")), [status])
    bob.run("unfollow", "ada")
    true(status not in shown(bob.run("timeline", "-1")), "still there")


@step("public and hashtag timelines")
def _():
    status = ada.post("everyone, see #Blåbær")
    same(shown(bob.run("timeline", "--public", "-1", "-c", "1")), [status])
    same(shown(bob.run("timeline", "--public", "--local", "-1", "-c", "1")), [status])
    same(shown(bob.run("timeline", "--tag", "blåbær", "-1")), [status])


@step("boost and unboost")
def _():
    status = ada.post("boost me")
    bob.run("reblog", status)
    true("@bob" in ada.run("reblogged_by", status) or "bob" in ada.run("reblogged_by", status), "not by bob")
    bob.run("reblog", status, "-v", "private")
    bob.run("unreblog", status)
    true("bob" not in ada.run("reblogged_by", status), "still by bob")


@step("favourite and unfavourite")
def _():
    status = ada.post("like me")
    bob.run("favourite", status)
    if not IS_OLD:
        same(ada.json("status", status)["favourites_count"], 1)
        same([entity["id"] for entity in bob.json("timelines", "favourites")], [status])
    bob.run("unfavourite", status)
    if not IS_OLD:
        same(ada.json("status", status)["favourites_count"], 0)


@step("bookmark and unbookmark")
def _():
    status = ada.post("keep me")
    bob.run("bookmark", status)
    same(shown(bob.run("bookmarks", "-1")), [status])
    bob.run("unbookmark", status)
    same(shown(bob.run("bookmarks", "-1")), [])


@step("pin and unpin")
def _():
    status = ada.post("pin me")
    ada.run("pin", status)
    if not IS_OLD:
        same(ada.json("status", status)["pinned"], True)
    ada.run("unpin", status)
    refused(lambda: bob.run("pin", status))


@step("delete")
def _():
    status = ada.post("delete me")
    refused(lambda: bob.run("delete", status))
    ada.run("delete", status)
    refused(lambda: ada.run("thread", status), "not found")


if not IS_OLD:

    @step("an account's timeline")
    def _():
        status = ada.post("my own")
        same(shown(bob.run("timeline", "--account", "ada", "-1", "-c", "1")), [status])
        same([entity["id"] for entity in bob.json("timelines", "account", "ada", "--limit", "1")], [status])

    @step("hashtags: any, all, none")
    def _():
        one, two, three = ada.post("#tt"), ada.post("#tt #uu"), ada.post("#vv")

        def tagged(*options):
            return [entity["id"] for entity in bob.json("timelines", "tag", "tt", *options)]

        same(tagged(), [two, one], "alone")
        same(tagged("--any", "vv"), [three, two, one], "any")
        same(tagged("--all", "uu"), [two], "all")
        same(tagged("--none", "uu"), [one], "none")

    @step("min, max and since")
    def _():
        posted = [ada.post(f"number {number} #count") for number in range(5)]

        def between(*options):
            return [entity["id"] for entity in bob.json("timelines", "public", *options)]

        same(between("--max-id", posted[3], "--limit", "2"), [posted[2], posted[1]], "max")
        same(between("--min-id", posted[0], "--limit", "2"), [posted[2], posted[1]], "min")
        same(between("--since-id", posted[1], "--limit", "2"), [posted[4], posted[3]], "since")

    @step("reply to the last")
    def _():
        first = ada.post("first of a thread")
        second = ada.post("second of a thread", "--reply-last")
        same(shown(ada.run("thread", second)), [first, second])

    @step("public and hashtag timelines without a login")
    def _():
        from toot_program import base

        status = ada.post("strangers see #strange")
        same(shown(bob.run("timeline", "-i", base(), "--public", "-1", "-c", "1")), [status])
        same(shown(bob.run("timeline", "-i", base(), "--tag", "strange", "-1")), [status])


step.finish()
