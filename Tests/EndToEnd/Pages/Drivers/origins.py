"""Every form of the pages, sent from elsewhere: from another site, from another host or port of the same site, from a
page without an origin, after logout and with an old session. All are refused, and nothing changes.
Usage: python origins.py http://127.0.0.1:PORT, a server with the accounts ada, bob and cleo
"""

import html
import json
import re
import sys
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from surf import API, Browser, Steps, same, true

ADDRESS = sys.argv[1]
PORT = urllib.parse.urlsplit(ADDRESS).port
# Names that the browser finds at this machine.
FLAGS = ["--host-resolver-rules=MAP *.example.test 127.0.0.1", "--blink-settings=imagesEnabled=false"]
HOST = f"http://feed.example.test:{PORT}"
PAGES = ["/home", "/notifications", "/compose", "/@bob", "/@ada", "/search?q=words", "/bookmarks", "/favourites",
         "/lists", "/conversations", "/tags/origins", "/followed_tags", "/follow_requests", "/settings", "/about",
         "/"]

# All forms of a page that change something: the fields that a browser would send for each button.
FORMS = """() => [...document.querySelectorAll('form')].flatMap(form =>
  [...form.querySelectorAll('button, input[type=submit]')].filter(
    button => (button.formMethod || form.method) === 'post').map(button => ({
      action: new URL(button.getAttribute('formaction') ?? form.action, document.baseURI).pathname,
      name: button.textContent.trim(),
      fields: [...form.elements].filter(
        control => control.name && !['file', 'submit'].includes(control.type) && control.tagName !== 'BUTTON').map(
          control => [control.name, control.value || 'sent from elsewhere'])
    })))"""

step = Steps()
api = API(ADDRESS)
ada, bob = api.log_in("ada"), api.log_in("bob")


def kind(form):
    return re.sub(r"\d+", "N", form["action"]), form["name"].split()[0] if form["name"] else ""


def fill_feed():
    mine = ada.post("words of mine #origins")
    ada.post("my poll", **{"poll[options][0]": "yes", "poll[options][1]": "no", "poll[expires_in]": 86400})
    theirs = bob.post("words of bob #origins", **{"poll[options][0]": "yes", "poll[options][1]": "no",
                                                  "poll[expires_in]": 86400})
    ada("POST", f"/api/v1/statuses/{theirs}/bookmark")
    ada("POST", f"/api/v1/statuses/{theirs}/favourite")
    bob.post("@ada a letter", visibility="direct")
    ada("POST", "/api/v1/tags/origins/follow")
    ada("PATCH", "/api/v1/accounts/update_credentials", locked="true")
    me = ada("GET", "/api/v1/accounts/verify_credentials")["id"]
    api.log_in("cleo")("POST", f"/api/v1/accounts/{me}/follow")
    made = ada("POST", "/api/v1/lists", title="my list")
    return [f"/@ada/{mine}", f"/@bob/{theirs}", f"/lists/{made['id']}", f"/compose?in_reply_to_id={theirs}"]


def collect(member, paths):
    """One form of each kind, from all pages and from those to which their actions lead, such as the question before a
    deletion."""
    found, seen = {}, set()
    todo = [*PAGES, *paths]
    while todo:
        path = todo.pop(0)
        member.page.goto(path)
        if member.status != 200:
            continue
        for form in member.page.evaluate(FORMS):
            found.setdefault(kind(form), form)
        links = member.page.evaluate("[...document.querySelectorAll('main a')].map(link => link.pathname)")
        for link in links:
            name = re.sub(r"@\w+", "@NAME", re.sub(r"\d+", "N", link))
            if name not in seen and not re.search(r"\.(atom|rss|json)$|^/(media|files)/", link):
                seen.add(name)
                todo.append(link)
    return list(found.values())


def state():
    """Everything that forms could change."""
    me, other = (person("GET", "/api/v1/accounts/verify_credentials") for person in [ada, bob])
    paths = [f"/api/v1/accounts/{account['id']}/{what}" for account in [me, other]
             for what in ["statuses", "followers", "following"]]
    paths += [f"/api/v1/accounts/relationships?id[]={other['id']}", "/api/v1/accounts/verify_credentials"]
    paths += ["/api/v1/" + name for name in ["bookmarks", "favourites", "lists", "followed_tags", "mutes", "blocks",
                                             "conversations", "notifications", "scheduled_statuses", "follow_requests"]]
    return {path: json.dumps(ada("GET", path), sort_keys=True) for path in paths}


def page_of(form, action):
    """A page that sends the form at once a button is pressed."""
    fields = "".join(f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(value)}">'
                     for name, value in form["fields"])
    return f'<!DOCTYPE html><title>x</title><form method="post" action="{action}">{fields}<button>Send</button></form>'


class Elsewhere(ThreadingHTTPServer):
    """Another server, with the page that it is told to show."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.page, self.policy = "", "strict-origin"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Referrer-Policy", self.server.policy)
        self.end_headers()
        self.wfile.write(self.server.page.encode())

    def log_message(self, *_):
        pass


def is_refused(visitor):
    return visitor.status in (401, 403) or visitor.status == 200 and visitor.path.startswith("/login")


def send_all(visitor, forms, show):
    """Sends every form from a page that `show` opens."""
    before = state()
    for form in forms:
        show(form)
        with visitor.page.expect_navigation():
            visitor.page.get_by_role("button", name="Send").click()
        true(is_refused(visitor), f"{kind(form)}: {visitor.status} {visitor.path}: {visitor.text[:200]}")
    after = state()
    changed = [path for path in before if before[path] != after[path]]
    true(not changed, f"changed: {changed}: {[(before[path][:600], after[path][:600]) for path in changed[:1]]}")


paths = fill_feed()
elsewhere = Elsewhere()
with Browser(ADDRESS, FLAGS) as browser:
    member = browser.member("ada")
    forms = collect(member, paths)
    print(sorted(kind(form) for form in forms))

    def from_elsewhere(visitor, host, target, policy="strict-origin"):
        def show(form):
            elsewhere.page, elsewhere.policy = page_of(form, target + form["action"]), policy
            visitor.page.goto(f"http://{host}:{elsewhere.server_port}/")
        return show

    def held_open(visitor):
        """A page of the server itself that was opened before."""
        def show(form):
            visitor.page.route(ADDRESS + "/held", lambda route: route.fulfill(
                content_type="text/html", body=page_of(form, form["action"])))
            visitor.page.goto("/held")
            visitor.page.unroute(ADDRESS + "/held")
        return show

    @step("there are forms to send")
    def _():
        actions = {kind(form)[0] for form in forms}
        true({"/compose", "/logout"} <= actions, actions)

    @step("forms of another site are refused")
    def _():
        send_all(member, forms, from_elsewhere(member, "localhost", ADDRESS))

    @step("forms of the same host at another port are refused")
    def _():
        send_all(member, forms, from_elsewhere(member, "127.0.0.1", ADDRESS))

    @step("forms of a page that hides its origin are refused")
    def _():
        send_all(member, forms, from_elsewhere(member, "127.0.0.1", ADDRESS, "no-referrer"))

    @step("forms of another host of the same site are refused")
    def _():
        named = browser.member("ada", address=HOST)
        send_all(named, forms, from_elsewhere(named, "evil.example.test", HOST))
        named.open("/home")
        same(named.member(), "ada", "member")

    @step("another site that sends the login form logs nobody in")
    def _():
        visitor = browser.visitor()
        form = {"action": "/login", "name": "Log in", "fields": [["username", "bob"], ["password", "secretsecret"]]}
        for host in ["localhost", "127.0.0.1"]:
            send_all(visitor, [form], from_elsewhere(visitor, host, ADDRESS))
        visitor.open("/")
        same(visitor.member(), None, "member")

    @step("after all of this the member is still logged in")
    def _():
        member.open("/home")
        same(member.member(), "ada", "member")

    @step("the same forms work from a page of the server")
    def _():
        before = state()
        held_open(member)(next(form for form in forms if form["action"] == "/lists"))
        with member.page.expect_navigation():
            member.page.get_by_role("button", name="Send").click()
        member.check()
        true(state() != before, "there is no new list")

    @step("after logout, pages that are still open can do nothing, even with the old cookie")
    def _():
        cookies = member.context.cookies()
        true(cookies, "there is no cookie")
        member.open("/home")
        member.log_out()
        same([cookie for cookie in member.context.cookies() if "session" in cookie["name"]], [], "cookies")
        rest = [form for form in forms if form["action"] not in ("/logout", "/login")]
        send_all(member, rest, held_open(member))

        def with_old_cookie(form):
            member.context.clear_cookies()
            member.context.add_cookies(cookies)
            held_open(member)(form)

        send_all(member, rest, with_old_cookie)

step.finish()
