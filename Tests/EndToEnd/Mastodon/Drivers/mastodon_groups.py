"""Mastodon.py reads grouped notifications. Usage: python mastodon_groups.py http://HOST:PORT

Besides the usual accounts, there is the administrator root.
"""

import mastodon
from people import application, ask, log_in, people
from steps import Steps, refused, same, true

# Mastodon.py of Debian 12 is older than grouped notifications.
IS_OLD = not hasattr(mastodon.Mastodon, "grouped_notifications")
PATH = "/api/v2/notifications"

step = Steps()
ada, bob, cleo, dora = people("ada", "bob", "cleo", "dora")
ADA, BOB, CLEO, DORA = (str(person.account_verify_credentials().id) for person in (ada, bob, cleo, dora))
FANS = [bob, cleo, dora]


def popular():
    """A status of ada with three favourites and two boosts, and a mention of ada."""
    ada.notifications_clear()
    status = ada.status_post("like me")
    for fan in FANS:
        fan.status_favourite(status)
    for fan in FANS[:2]:
        fan.status_reblog(status)
    mention = bob.status_post("@ada hi")
    return str(status.id), str(mention.id)


def kinds(groups):
    return [(group["type"], group["notifications_count"]) for group in groups]


@step("groups have the same keys as single notifications")
def _():
    status, mention = popular()
    page = ask(ada, "GET", PATH)
    groups = page["notification_groups"]
    same(kinds(groups), [("mention", 1), ("reblog", 2), ("favourite", 3)])
    same([group["status_id"] for group in groups], [mention, status, status], "statuses")
    same(groups[2]["sample_account_ids"], [DORA, CLEO, BOB], "accounts")
    same({entity["id"] for entity in page["statuses"]}, {status, mention}, "the statuses in the page")
    single = ask(ada, "GET", "/api/v1/notifications")
    same({entity["group_key"] for entity in single}, {group["group_key"] for group in groups}, "keys")
    same(ask(ada, "GET", PATH + "/unread_count")["count"] >= 3, True, "unread")


@step("kinds are chosen")
def _():
    popular()
    found = ask(ada, "GET", PATH, params={"grouped_types[]": ["reblog"], "exclude_types[]": ["mention"]})
    same(kinds(found["notification_groups"]), [("reblog", 2)] + [("favourite", 1)] * 3)
    found = ask(ada, "GET", PATH, params={"types[]": ["favourite"], "account_id": CLEO})
    same(kinds(found["notification_groups"]), [("favourite", 3)], "of one account")


@step("a group is dismissed")
def _():
    popular()
    key = ask(ada, "GET", PATH, params={"types[]": ["favourite"]})["notification_groups"][0]["group_key"]
    ask(ada, "GET", f"{PATH}/{key}", status=200)
    ask(bob, "GET", f"{PATH}/{key}", status=404)
    ask(ada, "POST", f"{PATH}/{key}/dismiss")
    ask(ada, "GET", f"{PATH}/{key}", status=404)
    same(kinds(ask(ada, "GET", PATH)["notification_groups"]), [("mention", 1), ("reblog", 2)])


@step("a favourite that is taken back leaves its group")
def _():
    status, _mention = popular()
    cleo.status_unfavourite(status)
    group = ask(ada, "GET", PATH, params={"types[]": ["favourite"]})["notification_groups"][0]
    same((group["notifications_count"], group["sample_account_ids"]), (2, [DORA, BOB]))


@step("administrators are told of reports")
def _():
    root = log_in("root", application())
    ada.report(BOB, comment="spam")
    newest = ask(root, "GET", "/api/v1/notifications", params={"types[]": ["admin.report"]})[0]
    same((newest["account"]["id"], newest["report"]["target_account"]["id"]), (ADA, BOB))
    same(newest["report"]["comment"], "spam")
    group = ask(root, "GET", PATH, params={"types[]": ["admin.report"]})["notification_groups"][0]
    same(group["report"]["id"], newest["report"]["id"])
    same(ask(ada, "GET", "/api/v1/notifications", params={"types[]": ["admin.report"]}), [], "others")


@step("nothing is held back")
def _():
    policy = ask(ada, "GET", "/api/v2/notifications/policy")
    same({value for name, value in policy.items() if name != "summary"}, {"accept"})
    ask(ada, "PATCH", "/api/v2/notifications/policy", status=422, data={"for_new_accounts": "drop"})
    same(ask(ada, "PATCH", "/api/v2/notifications/policy", data={"for_new_accounts": "accept"}), policy)
    same(ask(ada, "GET", "/api/v1/notifications/requests"), [])
    same(ask(ada, "GET", "/api/v1/notifications/requests/merged"), {"merged": True})


if not IS_OLD:

    @step("the methods of Mastodon.py")
    def _():
        status, _mention = popular()
        page = ada.grouped_notifications(types=["favourite", "reblog"])
        same([group.type for group in page.notification_groups], ["reblog", "favourite"])
        group = page.notification_groups[1]
        same((group.notifications_count, str(group.status_id)), (3, status))
        same([str(account.id) for account in page.accounts + page.partial_accounts].count(DORA), 1, "accounts")
        same(len(ada.grouped_notifications(expand_accounts="full").accounts), 3, "full accounts")
        one = ada.grouped_notification(group.group_key)
        same([found.group_key for found in one.notification_groups], [group.group_key])
        accounts = ada.grouped_notification_accounts(group.group_key)
        same([str(account.id) for account in accounts], [DORA, CLEO, BOB])
        true(ada.unread_grouped_notifications_count() >= 3, "unread")
        older = ada.grouped_notifications(limit=1, max_id=page.notification_groups[0].page_min_id)
        same([found.type for found in older.notification_groups], ["favourite"], "the next page")
        ada.dismiss_grouped_notification(group.group_key)
        refused(lambda: ada.grouped_notification(group.group_key), "404")

    @step("the policy and the requests")
    def _():
        same(ada.notifications_policy().for_not_following, "accept")
        same(ada.update_notifications_policy(for_not_following="accept").for_new_accounts, "accept")
        refused(lambda: ada.update_notifications_policy(for_not_following="drop"), "422")
        same(ada.notification_requests(), [])
        refused(lambda: ada.notification_request(1), "404")
        refused(lambda: ada.accept_notification_request(1), "404")
        ada.dismiss_multiple_notification_requests([1, 2])
        true(ada.notifications_merged(), "merged")


step.finish()
