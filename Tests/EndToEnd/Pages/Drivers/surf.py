"""Chromium, driven by Playwright as a person would: by labels, roles and visible words.

    with Browser(address) as browser:
        ada = browser.member("ada")
        ada.open("/compose")
        ada.fill("Text", "hello")
        ada.press("Post")
"""

import os
import re
import sys
import urllib.parse
from contextlib import contextmanager

from playwright.sync_api import sync_playwright

# The steps and the API of the drivers of Mastodon clients.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Mastodon/Drivers"))

from api import API  # noqa: E402
from pictures import png  # noqa: E402
from steps import Steps, same, true  # noqa: E402

__all__ = ["API", "DESKTOP", "IS_KEPT", "MEMBER", "PASSWORD", "PHONE", "Browser", "Steps", "Visitor", "Watch", "png",
           "same", "true"]

PASSWORD = "secretsecret"
# In milliseconds. It only ends a step that would otherwise hang.
LIMIT = 300_000
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]

# Messages disappear after ten seconds, for which any process may stand still on a busy machine. Here, they stay.
LASTING_MESSAGES = """(() => {
  const set = window.setTimeout;
  window.setTimeout = (action, time, ...rest) => set(action, time === 10_000 ? 3_600_000 : time, ...rest);
})()"""

# The name in the link to one's own profile.
MEMBER = """() => {
  const links = [...document.querySelectorAll('nav a')].filter(link => link.textContent.trim() === 'Profile');
  return links.length ? links[0].pathname.slice(2) : null;
}"""

# Whether the service worker keeps a page that contains a text.
IS_KEPT = """async ([path, text]) => {
  for (const name of await caches.keys()) {
    const page = await (await caches.open(name)).match(path);
    if (page && (await page.text()).includes(text)) return true;
  }
  return false;
}"""


class Browser:
    """A browser for several people, each with cookies of their own."""

    def __init__(self, address, flags=()):
        self.address = address
        self.flags = [*FLAGS, *flags]

    def __enter__(self):
        self.playwright = sync_playwright().start()
        # Without the windows that nobody sees, it needs half the time.
        self.chromium = self.playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell", args=self.flags, timeout=LIMIT)
        return self

    def __exit__(self, *_):
        self.chromium.close()
        self.playwright.stop()

    def visitor(self, scripts=False, address=None, **options):
        options = {"viewport": DESKTOP, "locale": "en-US", "reduced_motion": "reduce", **options}
        context = self.chromium.new_context(
            java_script_enabled=scripts, base_url=address or self.address, **options)
        context.set_default_timeout(LIMIT)
        if scripts:
            context.add_init_script(LASTING_MESSAGES)
        return Visitor(context)

    def member(self, name, **options):
        visitor = self.visitor(**options)
        visitor.log_in(name)
        return visitor


class Visitor:
    """Somebody with a browser window."""

    def __init__(self, context):
        self.context = context
        self.page = context.new_page()
        self.response = None
        self.page.on("response", self.note)

    def note(self, response):
        """Keeps the response of the page itself; the redirects before it are replaced by what they lead to."""
        if response.request.is_navigation_request() and response.frame == self.page.main_frame:
            self.response = response

    @property
    def status(self):
        return self.response.status

    @property
    def path(self):
        """The path of the page with its query."""
        return re.sub("^[a-z]+://[^/]*", "", self.page.url)

    @property
    def text(self):
        """What the page shows, with what is folded up."""
        return self.page.locator("body").text_content()

    def open(self, path, status=200):
        self.page.goto(path)
        self.check(status)

    def check(self, status=200):
        if self.status != status:
            raise AssertionError(f"{self.path} is answered with {self.status}, not {status}: {self.text[:300]}")

    def log_in(self, name):
        self.open("/login")
        self.fill("Username or email address", name)
        self.fill("Password", PASSWORD)
        self.press("Log in", inside=self.page.locator("main"))
        true(self.member() == name, f"{name} is not logged in: {self.text[:300]}")

    def log_out(self):
        """The button may be folded up."""
        more = self.page.locator("nav summary")
        if not self.has_button("Log out") and more.count():
            more.first.click()
        self.press("Log out")

    def member(self):
        """The name of the member whom the navigation names; `None` for a visitor."""
        return self.page.evaluate(MEMBER)

    def fill(self, label, value, inside=None):
        (inside or self.page).get_by_label(label, exact=True).first.fill(value)

    def press(self, name, inside=None, status=200):
        """Presses a button that leads to a page."""
        self.go(self.button(name, inside), status)

    def follow(self, name, inside=None, status=200):
        """Follows a link."""
        self.go((inside or self.page).get_by_role("link", name=re.compile(name)).first, status)

    def go(self, target, status=200):
        with self.page.expect_navigation():
            target.click()
        self.check(status)

    def button(self, name, inside=None):
        """A button whose name begins with a word; what follows says of which post or person it is."""
        return (inside or self.page).get_by_role("button", name=re.compile(f"^{re.escape(name)}\\b")).first

    def has_button(self, name, inside=None):
        return self.button(name, inside).count() > 0

    def post(self, text):
        """The post that contains a text."""
        return self.page.get_by_role("article").filter(has_text=text).first

    @contextmanager
    def tab(self):
        """Another tab of the same window, with the same cookies."""
        other = Visitor(self.context)
        try:
            yield other
        finally:
            other.page.close()


class Watch:
    """Watches what the pages of a visitor request, and what goes wrong on them."""

    def __init__(self, visitor):
        self.page, self.errors, self.sent, self.responses = visitor.page, [], [], []
        self.are_errors_expected = False
        self.page.on("console", self.log)
        self.page.on("pageerror", lambda error: self.errors.append(f"{error} {error.stack}"))
        visitor.context.on("request", self.note)
        visitor.context.on("response", lambda response: self.responses.append(response))
        self.origin = None

    def log(self, message):
        if message.type in ("error", "warning") and not self.are_errors_expected:
            self.errors.append(f"{self.page.url}: {message.text}")

    def note(self, request):
        # Where a form of script would lead, which it does not follow.
        if request.redirected_from:
            return
        parts = urllib.parse.urlsplit(request.url)
        self.origin = self.origin or parts[:2]
        if parts.scheme != "data" and parts[:2] != self.origin:
            self.errors.append(f"a request to {request.url}")
        self.sent.append(f"{request.method} {parts.path}")

    @contextmanager
    def requests(self):
        """The requests of a time, besides those for files and the stream of the page."""
        found, start = [], len(self.sent)
        yield found
        others = re.compile("GET /(assets|avatars|headers|media|sw.js|api)")
        found.extend(each for each in self.sent[start:] if not others.match(each))

    @contextmanager
    def errors_expected(self):
        self.are_errors_expected = True
        yield
        self.page.evaluate("0")
        self.are_errors_expected = False

    @contextmanager
    def cut(self, pattern):
        """Lets requests fail as without a connection."""
        self.page.route(pattern, lambda route: route.abort())
        with self.errors_expected():
            yield
        self.page.unroute(pattern)

    def sizes(self):
        """The kind and the uncompressed size of each response that has an end, by address."""
        ended = [each for each in self.responses if each.status == 200 and each.request.resource_type != "eventsource"]
        return {each.url: (each.request.resource_type, len(each.body())) for each in ended}

    def finish(self):
        true(not self.errors, "\n".join(self.errors))
