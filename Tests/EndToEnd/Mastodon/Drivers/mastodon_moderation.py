"""Mastodon.py reports and moderates. Usage: python mastodon_moderation.py http://HOST:PORT

Besides the usual accounts, there is the administrator root.
"""

import time

from people import SCOPES, application, ids, log_in, names, people, texts
from steps import Steps, refused, same, true

ADMIN = SCOPES + ["admin:read", "admin:write"]

step = Steps()
ada, bob, cleo, dora = people("ada", "bob", "cleo", "dora")
ADA, BOB, CLEO, DORA = (str(person.account_verify_credentials().id) for person in (ada, bob, cleo, dora))
root = log_in("root", application(scopes=ADMIN), ADMIN)
ROOT = str(root.account_verify_credentials().id)


def soon(condition, what):
    """Waits for a condition that the server makes true by itself."""
    end = time.monotonic() + 300
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.2)
    raise AssertionError(f"never: {what}")


def reported(comment):
    """bob reports a new status of ada. Returns the report and the status."""
    status = ada.status_post("buy something")
    return bob.report(ADA, status_ids=[status], comment=comment, category="spam"), status


@step("a report is returned as it was sent")
def _():
    report, status = reported("it is spam")
    same((report.comment, report.category, report.action_taken), ("it is spam", "spam", False))
    same([str(id) for id in report.status_ids], [str(status.id)], "status_ids")
    same(str(report.target_account.id), ADA, "target_account")
    refused(lambda: bob.report(ADA, comment="x" * 1001), "422")
    refused(lambda: bob.report(1), "404")
    refused(lambda: bob.report(CLEO, status_ids=[status]), "404")


@step("only administrators moderate, and only with the scope")
def _():
    member = log_in("ada", application(scopes=ADMIN), ADMIN)
    plain = log_in("root")
    for person in (member, plain, ada):
        refused(lambda: person.admin_accounts_v2(), "403")
        refused(lambda: person.admin_account(BOB), "403")
        refused(lambda: person.admin_reports(), "403")
        refused(lambda: person.admin_account_moderate(BOB, "suspend"), "403")


@step("accounts are listed")
def _():
    true({"ada", "bob", "cleo", "dora", "root"} <= set(names(root.admin_accounts_v2())), "accounts are missing")
    same(names(root.admin_accounts_v2(username="cle")), ["cleo"], "by name")
    same(names(root.admin_accounts_v2(permissions="staff")), ["root"], "staff")
    same(names(root.admin_accounts_v2(status="suspended")), [], "suspended")
    same(root.admin_accounts_v2(origin="remote"), [], "remote")
    true("ada" in names(root.admin_accounts_v1(status="active")), "the first version")
    found = root.admin_account(ADA)
    same((found.username, found.domain, found.ip, found.suspended, found.approved), ("ada", None, None, False, True))
    same(str(found.account.id), ADA, "account")


@step("a report is assigned, resolved and reopened")
def _():
    report, status = reported("please look")
    true(str(report.id) in ids(root.admin_reports()), "the report is not listed")
    found = root.admin_report(report.id)
    same((found.account.username, found.target_account.username), ("bob", "ada"))
    same(texts(found.statuses), ["buy something"], "statuses")
    same(str(root.admin_report_assign(report.id).assigned_account.id), ROOT, "assigned_account")
    same(root.admin_report_unassign(report.id).assigned_account, None, "assigned_account")
    resolved = root.admin_report_resolve(report.id)
    same((resolved.action_taken, str(resolved.action_taken_by_account.id)), (True, ROOT))
    true(str(report.id) not in ids(root.admin_reports()), "it is still open")
    true(str(report.id) in ids(root.admin_reports(resolved=True, target_account_id=ADA)), "it is not listed as resolved")
    same(root.admin_report_reopen(report.id).action_taken, False, "action_taken")
    root.admin_account_moderate(ADA, "none", report_id=report.id)
    same(root.admin_report(report.id).action_taken, True, "action_taken")


@step("a silenced account is seen by its followers")
def _():
    status = ada.status_post("seen by few")
    bob.account_follow(ADA)
    root.admin_account_moderate(ADA, "silence")
    try:
        true(str(status.id) not in ids(cleo.timeline_public()), "strangers see it")
        true(str(status.id) in ids(bob.timeline_public()), "followers do not see it")
        same(cleo.status(status.id).account.limited, True, "limited")
        same(names(root.admin_accounts_v2(status="silenced")), ["ada"], "silenced")
    finally:
        same(root.admin_account_unsilence(ADA).silenced, False, "silenced")
        bob.account_unfollow(ADA)
    true(str(status.id) in ids(cleo.timeline_public()), "it is still hidden")
    true(not cleo.account(ADA).get("limited"), "limited")


@step("a suspended account is hidden and comes back")
def _():
    report, _status = reported("once more")
    root.admin_account_moderate(ADA, "suspend")
    try:
        refused(lambda: cleo.account(ADA), "404")
        refused(lambda: ada.status_post("hello?"), "403")
        same(root.admin_account(ADA).suspended, True, "suspended")
        same(root.admin_report(report.id).action_taken, True, "action_taken")
    finally:
        same(root.admin_account_unsuspend(ADA).suspended, False, "suspended")
    same(cleo.account(ADA).username, "ada")


@step("administrators do not act on themselves")
def _():
    for action in ("silence", "suspend"):
        refused(lambda: root.admin_account_moderate(ROOT, action), "403")
    refused(lambda: root.admin_account_moderate(BOB, "sensitive"), "422")


@step("only a suspended account is removed, for good")
def _():
    status = dora.status_post("the last one")
    cleo.status_favourite(dora.status_post("and one more"))
    refused(lambda: root.admin_account_delete(DORA), "403")
    root.admin_account_moderate(DORA, "suspend")
    root.admin_account_delete(DORA)
    refused(lambda: root.admin_account(DORA), "404")
    refused(lambda: root.admin_account_unsuspend(DORA), "404")
    refused(lambda: cleo.status(status.id), "404")
    same(cleo.favourites(), [], "favourites")

    def is_logged_out():
        try:
            dora.account_verify_credentials()
        except Exception as error:
            return "401" in str(error)

    soon(is_logged_out, "the server deletes the logins")


step.finish()
