"""toot posts and shows polls. Usage: python toot_polls.py http://HOST:PORT"""

import json
import os

import requests
from steps import Steps, refused, same, true
from toot_program import IS_OLD, Toot, base

step = Steps()
ada, bob = Toot("ada"), Toot("bob")


def entity(status):
    return requests.get(f"{base()}/api/v1/statuses/{status}", timeout=300).json()


@step("a poll of another client is shown")
def _():
    # As a form, because the old version cannot post polls.
    with open(os.path.join(ada.place.name, "toot", "config.json")) as file:
        token = next(iter(json.load(file)["users"].values()))["access_token"]
    form = {"status": "which?", "poll[options][]": ["cats", "dogs"], "poll[expires_in]": "3600"}
    posted = requests.post(f"{base()}/api/v1/statuses", form, headers={"Authorization": "Bearer " + token}, timeout=300)
    same(posted.status_code, 200)
    said = bob.run("thread", posted.json()["id"])
    true("which?" in said and "cats" in said and "dogs" in said, said)


if not IS_OLD:

    @step("post with a poll")
    def _():
        status = ada.post("which?", "--poll-option", "cats", "--poll-option", "dogs", "--poll-expires-in", "2h")
        poll = entity(status)["poll"]
        same([option["title"] for option in poll["options"]], ["cats", "dogs"])
        same((poll["multiple"], poll["expired"], poll["votes_count"]), (False, False, 0))
        said = bob.run("status", status)
        true("cats" in said and "dogs" in said and f"Poll {poll['id']}" in said, said)
        true("cats" in bob.run("polls", "show", poll["id"]), "not shown")

    @step("vote")
    def _():
        poll = entity(ada.post("which?", "--poll-option", "cats", "--poll-option", "dogs"))["poll"]
        true("Your vote" in bob.run("polls", "vote", poll["id"], 1), "not shown")
        found = bob.json("polls", "show", poll["id"])
        same((found["own_votes"], [option["votes_count"] for option in found["options"]]), ([1], [0, 1]))
        refused(lambda: bob.run("polls", "vote", poll["id"], 0), "already voted")
        refused(lambda: ada.run("polls", "vote", poll["id"], 0), "own polls")

    @step("several choices and hidden totals")
    def _():
        options = ["--poll-option", "a", "--poll-option", "b", "--poll-multiple", "--poll-hide-totals"]
        poll = entity(ada.post("which?", *options))["poll"]
        same((poll["multiple"], [option["votes_count"] for option in poll["options"]]), (True, [None, None]))

    @step("a poll with one option is refused with the reason")
    def _():
        refused(lambda: ada.post("which?", "--poll-option", "cats"), "more than one item")

    @step("a poll that ends at once is refused with the reason")
    def _():
        options = ["--poll-option", "a", "--poll-option", "b", "--poll-expires-in", "1s"]
        refused(lambda: ada.post("which?", *options), "too soon")


step.finish()
