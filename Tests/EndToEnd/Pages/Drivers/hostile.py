"""Text that tries to be markup, script or a direction control, in every text, name, file name and field: no page runs
it or shows it as anything but text, and none is wider than a phone.
Usage: python hostile.py http://HOST:PORT, a server with the accounts h0 to h7
"""

import re
import sys
import urllib.error
import urllib.parse

from surf import API, PASSWORD, PHONE, Browser, Steps, png, same, true
from uploads import upload

ADDRESS = sys.argv[1]
IMAGE = '<img src="x:" onerror="hacked=1" class="injected">'
TEXTS = [
    '<script class="injected">hacked=1</script>' + IMAGE,
    '</title></textarea></style></details>--><script class="injected">hacked=1</script><svg onload="hacked=1">',
    '" autofocus onfocus="hacked=1" class="injected\' onclick=\'hacked=1',
    '<a class="injected" href="javascript:hacked=1">x</a> javascript:hacked=1 [x](javascript:hacked=1) data:,x',
    "\u202e\u2066\u202d txt.exe \u2067 \u200f \u061c",
    "a" + "\u0301" * 500,
    "\u0600<\u0600img src=x: onerror=hacked=1>\u0600\"\u0600><\u0600/p>\u0600&lt;" + "\u0600" + IMAGE,
    "👩‍👩‍👧‍👦🏴‍☠️🇦🇶:none:{{{content}}}{{>status}}" + "W" * 16_384,
]

# Whatever could only come from a text, and what a browser would do with it.
INJECTED = """() => {
  const found = [...document.querySelectorAll(`.injected, script:not([src]), iframe, object, embed, base, [style],
    [onerror], [onload], [onfocus], [onclick], a[href^="javascript:" i], a[href^="data:" i], form[action^="http"]`)]
    .map(element => element.outerHTML.slice(0, 200));
  if (window.hacked) found.push('a script has run');
  return found;
}"""

# Texts with a character that changes the direction of what others have written after it, in the same block.
LOOSE = """() => {
  const isLoose = node => {
    let block = node.parentElement;
    while (getComputedStyle(block).display === 'inline' && !block.matches('bdi, [dir]')) block = block.parentElement;
    return block.textContent.trim() !== node.data.trim() && !block.closest('bdi, [dir], textarea, option');
  };
  const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    if (/[\\u202a-\\u202e\\u2066-\\u2069]/.test(walker.currentNode.data) && isLoose(walker.currentNode))
      found.push(walker.currentNode.parentElement.outerHTML.slice(0, 300));
  }
  return found;
}"""

# Texts whose marks would be painted over what stands above and below, because nothing clips them near their block.
SPILT = """() => {
  const isClipped = place => {
    for (let blocks = 0; place && blocks < 4; place = place.parentElement) {
      const style = getComputedStyle(place);
      if (style.display === 'inline') continue;
      if (style.overflowY !== 'visible') return true;
      blocks += 1;
    }
    return false;
  };
  const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (/\\u0301{100}/.test(walker.currentNode.data) && parent.checkVisibility() && !isClipped(parent))
      found.push(parent.outerHTML.slice(0, 60) + ' in ' + parent.parentElement.className);
  }
  return found;
}"""

step = Steps()
api = API(ADDRESS)
# What the server has refused, even shortened.
refusals = []


def longest(what, text, send):
    """Sends a text, shorter and shorter until the server takes it."""
    length = len(text)
    while length > 0:
        try:
            return send(text[:length])
        except urllib.error.HTTPError as error:
            if error.code not in (400, 413, 422):
                raise
        length = length * 2 // 3
    refusals.append(what)
    return None


def log_in(name, text):
    """Logs in with an application that has the text as its name."""
    scopes = "read write follow"
    keys = longest("application", text, lambda words: api(
        "POST", "/api/v1/apps", client_name=words, redirect_uris="urn:ietf:wg:oauth:2.0:oob", scopes=scopes))
    token = api("POST", "/oauth/token", grant_type="password", username=name, password=PASSWORD, scope=scopes,
                client_id=keys["client_id"], client_secret=keys["client_secret"])
    return API(ADDRESS, token["access_token"])


def picture(person, text):
    return longest("media", text, lambda words: upload(ADDRESS, person.token, png(9), words, words[:80] + ".png"))


def fill(person, text):
    """Puts a text everywhere; returns the paths of the pages that only show it there."""
    change = "/api/v1/accounts/update_credentials"
    longest("name", text, lambda words: person("PATCH", change, display_name=words))
    longest("note", text, lambda words: person("PATCH", change, note=words))
    longest("field", text, lambda words: person("PATCH", change, **{
        "fields_attributes[0][name]": words, "fields_attributes[0][value]": words}))
    media = picture(person, text)
    post = longest("post", text, lambda words: person.post(words + " #hostile", spoiler_text=words[:len(words) // 2]))
    shown = person.post("picture #hostile", **({"media_ids[]": media} if media else {}))
    poll = longest("poll", text, lambda words: person.post("poll #hostile", **{
        "poll[options][0]": words, "poll[options][1]": "other", "poll[expires_in]": 86400}))
    made = longest("list", text, lambda words: person("POST", "/api/v1/lists", title=words))
    me = person("GET", "/api/v1/accounts/verify_credentials")
    return me, [f"/@{me['username']}/{found}" for found in [post, shown, poll] if found], made


people = [log_in(f"h{number}", text) for number, text in enumerate(TEXTS)]


def fill_feed():
    """All follow the first, and do with its posts what notifies it."""
    filled = [fill(person, text) for person, text in zip(people, TEXTS)]
    first, last = people[0], re.search(r"\d+$", filled[0][1][0])[0]
    paths = [path for _, found, _ in filled for path in found]
    paths += [f"/@{me['username']}" for me, _, _ in filled]
    for person, text, (me, found, made) in zip(people, TEXTS, filled):
        number = re.search(r"\d+$", found[0])[0]
        first("POST", f"/api/v1/statuses/{number}/bookmark")
        first("POST", f"/api/v1/statuses/{number}/favourite")
        if person is first:
            continue
        first("POST", f"/api/v1/accounts/{me['id']}/follow")
        longest("comment", text, lambda words: first("POST", f"/api/v1/accounts/{me['id']}/note", comment=words))
        person("POST", f"/api/v1/accounts/{filled[0][0]['id']}/follow")
        person("POST", f"/api/v1/statuses/{last}/reblog")
        person("POST", f"/api/v1/statuses/{last}/favourite")
        person.post("@h0 a letter #hostile", visibility="direct", in_reply_to_id=last)
    lists = first("GET", "/api/v1/lists")
    paths += [f"/lists/{made['id']}" for made in lists]
    return paths, number, last


class Watched:
    """A visitor with script, whose pages must do nothing that a text says."""

    def __init__(self, visitor):
        self.visitor, self.page = visitor, visitor.page
        self.events, self.problems = [], []
        self.page.on("console", lambda message: message.type == "error" and self.note(message))
        self.page.on("pageerror", lambda error: self.events.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: self.events.append(f"dialog: {dialog.message}"))

    def note(self, message):
        """A page that is not there is an error, too."""
        if message.location["url"].split("#")[0] != self.page.url.split("#")[0] or "Failed to load" not in message.text:
            self.events.append(f"console: {message.text}")

    def open(self, path):
        self.page.goto(path)
        self.check(path)

    def check(self, path):
        evaluate = self.page.evaluate
        width = evaluate("document.documentElement.scrollWidth")
        problems = [
            self.visitor.status >= 500 and f"status {self.visitor.status}",
            [*self.events], evaluate(INJECTED), [f"loose direction: {found}" for found in evaluate(LOOSE)],
            [f"spilt: {found}" for found in evaluate(SPILT)],
            width > PHONE["width"] and f"width {width}: {evaluate(WIDE)}"]
        self.problems += [f"{path[:60]}: {problem}" for problem in problems if problem]
        self.events.clear()

    def finish(self):
        true(not self.problems, "\n".join(self.problems))


# The elements that make a page too wide.
WIDE = """() => [...document.querySelectorAll('main *, header *, nav *, footer *')]
  .filter(element => element.getBoundingClientRect().right > innerWidth + 1 && !element.closest('.visually-hidden'))
  .slice(0, 3).map(element => element.outerHTML.slice(0, 120))"""

paths, theirs, mine = fill_feed()
escaped = [urllib.parse.quote(text[:300]) for text in TEXTS]
asked = [template + text for text in escaped for template in ["/search?q=", "/login?next=/"]]
asked += ["/tags/" + escaped[0], "/@" + escaped[0], "/tags/" + escaped[6], "/@" + escaped[6]]
open_pages = ["/", "/about", "/tags/hostile", "/search?q=hostile", *paths, *asked]
own_pages = ["/home", "/notifications", "/bookmarks", "/favourites", "/lists", "/conversations", "/followed_tags",
             "/settings/profile", "/settings/mutes", "/settings/blocks", "/settings/filters", "/settings/scheduled",
             "/settings/logins", "/settings/files", "/follow_requests", "/@h0/followers", "/@h0/following", f"/compose?in_reply_to_id={theirs}",
             f"/statuses/{mine}/edit", f"/statuses/{mine}/delete"]
print("refused even when short:", sorted(set(refusals)))

with Browser(ADDRESS) as browser:

    @step("visitors' pages only show the texts")
    def _():
        watched = Watched(browser.visitor(scripts=True, viewport=PHONE))
        for path in open_pages:
            watched.open(path)
        watched.finish()

    @step("members' pages only show the texts")
    def _():
        watched = Watched(browser.member("h0", scripts=True, viewport=PHONE))
        for path in [*own_pages, "/", "/tags/hostile", "/search?q=hostile", *paths]:
            watched.open(path)
        watched.finish()

    @step("forms that are refused only show what was typed")
    def _():
        visitor = browser.member("h0", scripts=True, viewport=PHONE)
        watched = Watched(visitor)
        for text in TEXTS:
            visitor.open("/compose")
            visitor.page.locator("[name=status]").fill(text + "x" * 20_000)
            warning = visitor.page.locator("[name=spoiler_text]")
            warning.fill(text)
            with visitor.page.expect_navigation():
                visitor.button("Post", visitor.page.locator("main")).click()
            watched.check("/compose")
            true(400 <= visitor.status < 500, f"it is answered with {visitor.status}")
            same(warning.input_value(), text, "kept warning")
        watched.finish()

    @step("a login that is refused only shows what was typed")
    def _():
        visitor = browser.visitor(scripts=True, viewport=PHONE)
        watched = Watched(visitor)
        for text in TEXTS:
            visitor.open("/login")
            visitor.page.locator("[name=username]").fill(text)
            visitor.page.locator("[name=password]").fill(text)
            with visitor.page.expect_navigation():
                visitor.page.locator("[name=password]").press("Enter")
            watched.check("/login")
        watched.finish()

step.finish()
