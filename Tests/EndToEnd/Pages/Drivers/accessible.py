"""axe finds no violation on any page, on a phone and on a desktop, in light and in dark.
Usage: python accessible.py http://HOST:PORT [FOLDER], a server with the accounts ada, bob and cleo, and the administrator
root; the folder gets screenshots
"""

import importlib.util
import os
import sys

from surf import API, DESKTOP, IS_KEPT, PHONE, Browser, Steps, png, true
from uploads import upload

ADDRESS = sys.argv[1]
SHOTS = sys.argv[2] if len(sys.argv) > 2 else None
AXE = os.path.join(os.path.dirname(importlib.util.find_spec("axe_playwright_python").origin), "axe.min.js")
# Every rule on each page, and those about colors and sizes once more with the other colors and the other width.
LOOKS = [("phone", PHONE, "light", None), ("phone", PHONE, "dark", ["color-contrast", "link-in-text-block"]),
         ("desktop", DESKTOP, "dark", None), ("desktop", DESKTOP, "light", ["color-contrast", "link-in-text-block"])]
RUN = """async rules => {
  const options = {resultTypes: ['violations']};
  if (rules) options.runOnly = rules;
  else options.rules = {'target-size': {enabled: true}};
  const result = await axe.run(options);
  return result.violations.map(each => `${each.id}: ${each.nodes.slice(0, 3).map(
    node => node.html.slice(0, 160) + ' ' + (node.any[0] ?? node.all[0] ?? node.none[0])?.message).join(' | ')}`);
}"""

step = Steps()
api = API(ADDRESS)
ada, bob, cleo = (api.log_in(name) for name in ["ada", "bob", "cleo"])


def fill_feed():
    """One of everything; returns the ids."""
    ada("PATCH", "/api/v1/accounts/update_credentials", display_name="Ada Lovelace", note="Engines, poetry. #numbers",
        **{"fields_attributes[0][name]": "Home", "fields_attributes[0][value]": "https://ada.example"})
    bob("PATCH", "/api/v1/accounts/update_credentials", display_name="Bob", note="Tea.", locked="true")
    picture = upload(ADDRESS, ada.token, png(120, 320, 180), "A plain field")
    other = upload(ADDRESS, ada.token, png(200, 180, 320), "Another field")
    media = {"media_ids[0]": picture, "media_ids[1]": other}
    shown = ada.post("Two fields #numbers https://ada.example/fields", **media)
    warned = ada.post("It ends well.", spoiler_text="The end of a book")
    poll = cleo.post("Tea or coffee?", **{"poll[options][0]": "Tea", "poll[options][1]": "Coffee",
                                          "poll[expires_in]": 86400})
    first = cleo.post("What is an engine? @ada #numbers")
    reply = ada.post("@cleo One that computes.", in_reply_to_id=first)
    bob.post("@ada So does a person.", in_reply_to_id=reply)
    ada.post("@cleo Just for you", visibility="direct")
    cleo.post("@ada And for you", visibility="direct")
    ada("POST", f"/api/v1/statuses/{first}/favourite")
    ada("POST", f"/api/v1/statuses/{poll}/bookmark")
    ada("POST", f"/api/v1/statuses/{first}/reblog")
    cleo("POST", f"/api/v1/statuses/{shown}/reblog")
    cleo("POST", f"/api/v1/statuses/{shown}/favourite")
    ids = {person: person("GET", "/api/v1/accounts/verify_credentials")["id"] for person in [ada, bob, cleo]}
    ada("POST", f"/api/v1/accounts/{ids[cleo]}/follow")
    cleo("POST", f"/api/v1/accounts/{ids[ada]}/follow")
    cleo("POST", f"/api/v1/accounts/{ids[bob]}/follow")
    ada("PATCH", "/api/v1/accounts/update_credentials", locked="true")
    bob("POST", f"/api/v1/accounts/{ids[ada]}/follow")
    ada("POST", "/api/v1/tags/numbers/follow")
    ada("POST", f"/api/v1/statuses/{shown}/pin")
    made = ada("POST", "/api/v1/lists", title="Friends")["id"]
    ada("POST", f"/api/v1/lists/{made}/accounts", **{"account_ids[]": ids[cleo]})
    report = bob("POST", "/api/v1/reports", account_id=ids[cleo], comment="Too much coffee",
                 **{"status_ids[]": poll})["id"]
    return {"shown": shown, "warned": warned, "poll": poll, "first": first, "reply": reply, "list": made,
            "report": report, "cleo": ids[cleo]}


ids = fill_feed()
OPEN = {
    "front": "/", "profile": "/@ada", "thread": f"/@cleo/{ids['first']}", "picture": f"/@ada/{ids['shown']}/media/1",
    "tag": "/tags/numbers", "search": "/search?q=engine", "about": "/about", "login": "/login", "sign-up": "/join",
    "missing": "/@nobody-here", "followers": "/@ada/followers", "warning": f"/@ada/{ids['warned']}",
}
OWN = {
    "home": "/home", "notifications": "/notifications", "compose": "/compose",
    "reply": f"/compose?in_reply_to_id={ids['first']}", "edit": f"/statuses/{ids['shown']}/edit",
    "delete": f"/statuses/{ids['shown']}/delete", "own-profile": "/@ada", "other-profile": "/@cleo",
    "own-thread": f"/@cleo/{ids['first']}", "poll": f"/@cleo/{ids['poll']}", "bookmarks": "/bookmarks",
    "favourites": "/favourites", "lists": "/lists", "list": f"/lists/{ids['list']}", "hashtags": "/followed_tags",
    "conversations": "/conversations", "requests": "/follow_requests", "note": "/@cleo/note", "report": "/@cleo/report",
    "own-search": "/search?q=cleo", "following": "/@ada/following", "own-tag": "/tags/numbers",
    "settings": "/settings",
    **{"settings-" + name: "/settings/" + name for name in [
        "profile", "preferences", "password", "logins", "mutes", "blocks", "filters", "scheduled", "files", "delete"]},
}
OPERATOR = {
    "admin": "/admin", "admin-sign-ups": "/admin/sign-ups", "admin-invitations": "/admin/invitations",
    "admin-accounts": "/admin/accounts", "admin-account": f"/admin/accounts/{ids['cleo']}",
    "admin-reports": "/admin/reports", "admin-report": f"/admin/reports/{ids['report']}",
    "admin-logins": "/admin/logins", "admin-settings": "/admin/settings",
}


class Reader:
    """Checks pages, and takes pictures of them."""

    def __init__(self, visitor):
        self.visitor, self.page, self.found = visitor, visitor.page, []
        with open(AXE) as file:
            self.axe = file.read()

    def read(self, name, path):
        self.page.goto(path)
        self.check(name)

    def check(self, name):
        page = self.page
        true(self.visitor.status < 500, f"{name} is answered with {self.visitor.status}")
        page.evaluate("document.querySelectorAll('details').forEach(details => details.open = true)")
        page.evaluate(self.axe)
        for size, viewport, scheme, rules in LOOKS:
            page.set_viewport_size(viewport)
            page.emulate_media(color_scheme=scheme)
            for found in page.evaluate(RUN, rules):
                self.found.append(f"{name} ({self.visitor.status}), {size}, {scheme}: {found}")
            width = page.evaluate("document.documentElement.scrollWidth")
            if width > viewport["width"]:
                self.found.append(f"{name}, {size}: {width} wide")
        if SHOTS:
            self.picture(name)

    def picture(self, name):
        page = self.page
        page.reload()
        for size, viewport, scheme, _ in [LOOKS[0], LOOKS[2]]:
            page.set_viewport_size(viewport)
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=f"{SHOTS}/{name}-{size}-{scheme}.png")

    def finish(self):
        true(not self.found, "\n".join(self.found))


with Browser(ADDRESS) as browser:

    @step("pages of visitors")
    def _():
        reader = Reader(browser.visitor(scripts=True))
        for name, path in OPEN.items():
            reader.read(name, path)
        reader.finish()

    @step("pages of members")
    def _():
        reader = Reader(browser.member("ada", scripts=True))
        for name, path in OWN.items():
            reader.read(name, path)
        redirect = "urn:ietf:wg:oauth:2.0:oob"
        keys = api("POST", "/api/v1/apps", client_name="A program", redirect_uris=redirect, scopes="read write")
        reader.read("consent", f"/oauth/authorize?response_type=code&client_id={keys['client_id']}"
                    f"&redirect_uri={redirect}&scope=read+write")
        true(reader.page.get_by_role("button", name="Allow").count() > 0, "The question of consent is asked")
        reader.finish()

    @step("pages of the operator")
    def _():
        root = browser.member("root", scripts=True)
        reader = Reader(root)
        for name, path in OPERATOR.items():
            reader.read(name, path)
        root.open("/admin/invitations")
        root.page.locator("[name=uses]").evaluate("field => { field.type = 'text'; field.value = 'many'; }")
        root.press("Create", root.page.get_by_role("main"), 422)
        reader.check("refused-invitation")
        root.open(f"/admin/accounts/{ids['cleo']}")
        root.press("Make a link for a new password", root.page.get_by_role("main"))
        reader.check("new-link")
        link = root.page.locator("#reset-link").input_value()
        reader.read("new-password", link)
        reader.finish()

    @step("forms that are refused")
    def _():
        member = browser.member("ada", scripts=True)
        reader = Reader(member)
        member.open("/compose")
        member.page.locator("[name=status]").fill("long " * 5000)
        member.press("Post", member.page.get_by_role("main"), 422)
        reader.check("refused-post")
        visitor = browser.visitor(scripts=True)
        reader.visitor, reader.page = visitor, visitor.page
        visitor.open("/login")
        visitor.fill("Username or email address", "ada")
        visitor.fill("Password", "wrong-password")
        visitor.press("Log in", visitor.page.get_by_role("main"), 422)
        reader.check("refused-login")
        reader.finish()

    @step("what only script shows")
    def _():
        member = browser.member("ada", scripts=True)
        reader, page = Reader(member), member.page
        member.open("/home")
        page.keyboard.press("?")
        page.get_by_role("dialog", name="Keys").wait_for()
        reader.check("keys")
        member.open("/compose")
        member.fill("Text", "half a thought")
        member.open("/compose")
        page.get_by_role("button", name="Discard").wait_for()
        reader.check("draft")
        picture = {"name": "field.png", "mimeType": "image/png", "buffer": png(120)}
        page.locator("input[type=file]").set_input_files(picture)
        page.locator(".attachment").wait_for()
        member.button("Post", page.get_by_role("main")).last.click()
        page.get_by_role("dialog").wait_for()
        reader.check("no-description")
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        member.open("/home")
        page.wait_for_function(IS_KEPT, arg=["/home", ""])
        member.context.set_offline(True)
        page.goto("/home")
        member.button("Bookmark").click()
        page.get_by_role("alert").filter(has_text="cannot be reached").wait_for()
        reader.check("offline")
        reader.finish()

step.finish()
