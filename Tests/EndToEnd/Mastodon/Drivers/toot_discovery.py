"""toot features hashtags and reads trends. Usage: python toot_discovery.py http://HOST:PORT"""

from steps import Steps, refused, same, true
from toot_program import IS_OLD, Toot

step = Steps()
ada = Toot("ada")


@step("a direct status is posted and shown in its thread")
def _():
    status = ada.post("@bob only you", "--visibility", "direct")
    true("only you" in ada.run("thread", status), "the thread lacks the status")


if not IS_OLD:

    @step("hashtags are featured and no longer featured")
    def _():
        ada.post("about #Gardens")
        true("Gardens" in ada.run("tags", "feature", "#Gardens"), "it is not featured")
        same([tag["name"] for tag in ada.json("tags", "featured")], ["Gardens"])
        true("Gardens" in ada.run("tags", "featured"), "the list lacks the hashtag")
        ada.run("tags", "unfeature", "gardens")
        same(ada.json("tags", "featured"), [])
        refused(lambda: ada.run("tags", "unfeature", "gardens"), "not featured")

    @step("trending statuses, which are found once an hour")
    def _():
        true(isinstance(ada.json("timelines", "trending"), list), "no list")


step.finish()
