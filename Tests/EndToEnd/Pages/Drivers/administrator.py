"""An operator's hour without script: approve and reject sign-ups, invite, answer a report, restrict and restore an
account, pass on a link for a new password, look at load, settings and failed logins.
Usage: python administrator.py http://HOST:PORT, a server with --registration approval, the accounts ada and bob, and the
administrator root
"""

import sys
import urllib.parse

from surf import API, PASSWORD, Browser, Steps, same, true

ADDRESS = sys.argv[1]

step = Steps()
api = API(ADDRESS)
ada, bob = api.log_in("ada"), api.log_in("bob")
account = ada("GET", "/api/v1/accounts/verify_credentials")["id"]


def local(address):
    return urllib.parse.urlsplit(address).path


with Browser(ADDRESS) as browser:
    root = browser.member("root")
    page = root.page

    def main():
        return page.get_by_role("main")

    def join(visitor, path, name, **fields):
        visitor.open(path)
        visitor.fill("Username", name)
        visitor.fill("Password", PASSWORD)
        for label, value in fields.items():
            visitor.fill(label, value)
        visitor.press("Sign up", visitor.page.get_by_role("main"))

    def administration(tab):
        root.open("/home")
        page.locator("nav summary").click()
        root.follow("^Administration$")
        root.follow(f"^{tab}$", page.get_by_role("navigation", name="Administration"))

    @step("members do not find the pages")
    def _():
        member = browser.member("ada")
        for path in ["/admin", "/admin/accounts", f"/admin/accounts/{account}", "/admin/settings"]:
            member.open(path, 404)
        true("Administration" not in member.text, "the navigation names the pages")

    @step("a sign-up is approved, another one is rejected")
    def _():
        label = "Why do you want to join? (optional)"
        join(browser.visitor(), "/join", "eve", **{label: "I like feeds"})
        join(browser.visitor(), "/join", "mallory", **{label: "I sell feeds"})
        administration("Sign-ups")
        for name, answer in [("eve", "Approve"), ("mallory", "Reject")]:
            root.press(answer, page.get_by_role("listitem").filter(has_text="@" + name))
        true("Nobody awaits approval." in root.text, root.text[:300])
        browser.member("eve")
        root.open("/@mallory", 404)

    @step("an invitation is made, used and revoked")
    def _():
        administration("Invitations")
        root.fill("Accounts that can be created with it", "2")
        root.press("Create", main())
        row = page.get_by_role("listitem").filter(has_text="used 0 of 2")
        guest = browser.visitor()
        join(guest, local(row.get_by_role("link").first.text_content()), "fay")
        same(guest.member(), "fay", "the account of the guest")
        page.reload()
        root.press("Revoke", page.get_by_role("listitem").filter(has_text="used 1 of 2"))
        true("/join/" not in main().text_content(), "the invitation is still listed")

    @step("a report is answered, with its post")
    def _():
        post = ada.post("Buy this")
        bob("POST", "/api/v1/reports", account_id=account, comment="Nobody wants it", category="spam",
            **{"status_ids[]": post})
        administration("Overview")
        root.follow("1 report to resolve")
        root.follow("@bob reports @ada")
        for text in ["Nobody wants it", "Buy this"]:
            true(text in main().text_content(), f"{text} is missing")
        root.press("Assign to me", main())
        root.press("Silence", main())
        true("resolved by @root" in root.text, "the report is open")
        root.press("Reopen", main())
        root.follow("^Delete", main())
        root.press("Delete", main())
        true("Buy this" not in main().text_content(), "the post is still there")
        root.press("Resolve", main())
        administration("Reports")
        true("No such reports." in root.text, "a report is open")

    @step("an account is found, restored, suspended and restored")
    def _():
        administration("Accounts")
        root.fill("Username begins with", "ad")
        root.press("Search", main())
        root.follow("^@ada$", main())
        root.press("No longer silence", main())
        root.press("Suspend", main())
        browser.visitor().open("/@ada", 404)
        root.press("Restore", main())
        browser.visitor().open("/@ada")

    @step("a link sets a new password once")
    def _():
        root.open(f"/admin/accounts/{account}")
        root.press("Make a link for a new password", main())
        link = page.locator("#reset-link").input_value()
        true(link.startswith(ADDRESS + "/reset/"), link)
        guest = browser.visitor()
        guest.open(local(link))
        guest.fill("New password", "a new password")
        guest.press("Set password", guest.page.get_by_role("main"))
        same(guest.path, "/login", "the page that follows")
        guest.fill("Username or email address", "ada")
        guest.fill("Password", "a new password")
        guest.press("Log in", guest.page.get_by_role("main"))
        same(guest.member(), "ada", "the member")
        guest.open(local(link), 404)

    @step("load, settings and failed logins are shown")
    def _():
        guest = browser.visitor()
        guest.open("/login")
        guest.fill("Username or email address", "trudy")
        guest.fill("Password", "guessed")
        guest.press("Log in", guest.page.get_by_role("main"), 422)
        for tab, text in [("Overview", "requests/s"), ("Settings", "approval"), ("Failed logins", "trudy")]:
            administration(tab)
            true(text in main().text_content(), f"{tab}: {text} is missing")

step.finish()
