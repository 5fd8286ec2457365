"""A visitor without script: every page is complete, and leads to the others.
Usage: python visitor.py http://HOST:PORT, a server with the demo
"""

import gzip
import re
import sys
import urllib.parse
import urllib.request

from surf import API, Browser, Steps, same, true

ADDRESS = sys.argv[1]
LIMIT = 30_000

step = Steps()
api = API(ADDRESS)


def compressed(path):
    """The body as browsers get it, and without compression. A page is only compressed when it is asked for again."""
    request = urllib.request.Request(ADDRESS + path, headers={"Accept-Encoding": "gzip"})
    for _ in range(3):
        with urllib.request.urlopen(request, timeout=300) as response:
            body = response.read()
            coding = response.headers["Content-Encoding"]
    same(coding, "gzip", f"coding of {path}")
    return body, gzip.decompress(body).decode()


def newest(**wanted):
    """A status of the public timeline with something, such as a picture."""
    statuses = api("GET", "/api/v1/timelines/public?limit=40")
    return next(status for status in statuses if all(status[key] for key in wanted))


def path(status):
    return urllib.parse.urlsplit(status["url"]).path


with Browser(ADDRESS) as browser:
    visitor = browser.visitor()
    page = visitor.page

    @step("the front page is small")
    def _():
        body, text = compressed("/")
        true(len(body) < LIMIT, f"it has {len(body)} bytes")
        total = len(body) + sum(
            len(compressed(found)[0]) for found in re.findall(r'(?:href|src)="(/assets/[^"]+\.(?:css|js)[^"]*)"', text))
        true(total < 2 * LIMIT, f"it has {total} bytes with its style and script")

    @step("the front page shows posts, and links to people and the login")
    def _():
        visitor.open("/")
        true(page.get_by_role("article").count() >= 10, "posts are missing")
        same(visitor.member(), None, "member")
        true(page.get_by_role("link", name="Log in").count(), "there is no login")
        same(page.get_by_role("heading", level=1).count(), 1, "number of main headings")

    @step("the pages are in the language of the browser")
    def _():
        headings = {"de-AT": ("de", "Öffentliche Timeline"), "zh-CN": ("zh-Hans", "公共时间线")}
        for locale, (tag, heading) in headings.items():
            reader = browser.visitor(locale=locale)
            reader.open("/")
            same(reader.page.locator("html").get_attribute("lang"), tag, f"language for {locale}")
            same(reader.page.get_by_role("heading", level=1).text_content(), heading, f"heading for {locale}")
            reader.context.close()

    @step("older posts are a link away")
    def _():
        visitor.open("/")
        first = page.get_by_role("article").first.text_content()
        visitor.follow("Older")
        true(page.get_by_role("article").first.text_content() != first, "the same posts are shown")

    @step("a profile shows its posts")
    def _():
        status = newest()
        visitor.open("/@" + status["account"]["username"])
        true(status["account"]["display_name"] in page.get_by_role("heading", level=1).text_content(), "no name")
        true(page.get_by_role("article").count(), "no posts")

    @step("a thread shows the replies")
    def _():
        status = newest(replies_count=True)
        visitor.open(path(status))
        true(page.get_by_role("article").count() >= 2, "no replies")

    @step("a post leads to its thread")
    def _():
        visitor.open("/")
        visitor.go(page.get_by_role("article").first.locator("a:has(time)"))
        true(re.fullmatch(r"/@\w+/\d+", visitor.path), visitor.path)

    @step("a picture is shown with its text, and leads to the large one")
    def _():
        status = newest(media_attachments=True)
        visitor.open(path(status))
        shown = page.locator("article img[alt]:not([alt=''])").first
        true(shown.get_attribute("alt"), "no text")
        link = page.locator("article a:has(img[alt]:not([alt='']))").first
        visitor.go(link)

    @step("the page of a hashtag shows its posts")
    def _():
        status = newest(tags=True)
        visitor.open("/tags/" + status["tags"][0]["name"])
        true(page.get_by_role("article").count(), "no posts")

    @step("a search by its form finds posts")
    def _():
        visitor.open("/search")
        page.get_by_role("searchbox").fill("demo")
        visitor.press("Search")
        true("q=demo" in visitor.path, visitor.path)
        same(page.get_by_role("searchbox").input_value(), "demo", "searched text")

    @step("there is a page about the server")
    def _():
        visitor.open("/about")
        true(page.get_by_role("heading", level=1).count() == 1, "it has no heading")

    @step("personal pages lead to the login, and back")
    def _():
        for wanted in ["/home", "/notifications", "/compose", "/bookmarks", "/favourites", "/lists", "/conversations"]:
            visitor.open(wanted)
            same(urllib.parse.unquote(visitor.path), "/login?next=" + wanted, "path")

    @step("a missing page says so, with the way back")
    def _():
        visitor.open("/@nobody-here", 404)
        visitor.follow("Back")

    @step("every link of the front page, of a profile and of a thread leads to a page")
    def _():
        own = set()
        for start in ["/", "/@" + newest()["account"]["username"], path(newest(replies_count=True)), "/about"]:
            visitor.open(start)
            own |= set(page.evaluate("[...document.links].map(link => link.href.split('#')[0])"))
        for address in sorted(link for link in own if link.startswith(ADDRESS)):
            response = visitor.context.request.get(address)
            true(response.ok, f"{address} is answered with {response.status}")

    @step("titles differ, and each page has a language and one main heading")
    def _():
        status = newest()
        paths = ["/", "/@" + status["account"]["username"], path(status), "/search", "/about", "/login"]
        titles = set()
        for each in paths:
            visitor.open(each)
            titles.add(page.title())
            true(page.locator("html").get_attribute("lang"), f"{each} has no language")
            same(page.locator("h1").count(), 1, f"main headings of {each}")
            same(page.locator("main").count(), 1, f"main parts of {each}")
        same(len(titles), len(paths), "number of titles")

step.finish()
