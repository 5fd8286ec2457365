"""Pages and their connection with script: posts that appear live, one stream for all tabs, large uploads with their
progress, pages without a connection, and what is left of them after a logout.
Usage: python connected.py http://HOST:PORT, a server with the accounts ada, bob and cleo
"""

import json
import os
import sys
import tempfile

from surf import API, IS_KEPT, Browser, Steps, Watch, same, true

ADDRESS = sys.argv[1]
LARGE = 50_000_000

step = Steps()
api = API(ADDRESS)
ada, bob, cleo = (api.log_in(name) for name in ["ada", "bob", "cleo"])
NEW = ".updates button"
KEPT = "caches.keys().then(names => names.filter(name => name.startsWith('pages ')))"
# The values of the progress, as the page shows them.
PROGRESS = """() => {
  const values = [];
  new MutationObserver(() => {
    const value = document.querySelector('progress')?.value;
    if (value === undefined) return;
    values.push(value);
    sessionStorage.setItem('progress', JSON.stringify(values));
  }).observe(document, {subtree: true, childList: true, attributes: true});
}"""


def is_kept(page, path, text=""):
    """Waits until a page is kept; with a text, until a version that contains it is."""
    page.wait_for_function(IS_KEPT, arg=[path, text])


with Browser(ADDRESS) as browser:
    me = browser.member("ada", scripts=True)
    page, watch = me.page, Watch(me)

    @step("a post appears live in the browsers of others")
    def _():
        bobs = ada("GET", "/api/v1/accounts/lookup?acct=bob")["id"]
        ada("POST", f"/api/v1/accounts/{bobs}/follow")
        bob.post("the first one #live")
        visitor = browser.visitor(scripts=True)
        for each, path in [(me, "/home"), (visitor, "/"), (visitor, "/tags/live")]:
            with each.page.expect_response(lambda response: "/streaming/" in response.url):
                each.open(path)
            writer = browser.member("bob", scripts=True)
            writer.open("/compose")
            text = "seen at " + path + " #live"
            writer.fill("Text", text)
            writer.go(writer.page.get_by_role("main").locator(".button-main"))
            each.page.locator(NEW).get_by_text("1 new").wait_for()
            writer.context.close()
            true(text not in each.text, "the page has moved")
            # The script changes the history first, which counts as a navigation for Playwright.
            each.page.locator(NEW).click()
            each.page.get_by_role("article").first.filter(has_text=text).wait_for()
        visitor.context.close()

    @step("a post deleted while the page is checked is not counted")
    def _():
        held = []

        def hold(route):
            deleted = bob.post("deleted at once")
            held.append((route, route.fetch()))
            bob("DELETE", f"/api/v1/statuses/{deleted}")

        page.route("**/api/v1/timelines/home?*", hold)
        me.open("/home")
        # The page is checked when it is opened, and when its stream is.
        while len(held) < 2:
            page.wait_for_timeout(100)
        bob.post("counted")
        bob.post("counted, too")
        page.locator(NEW).get_by_text("2 new").wait_for()
        # All has been heard of. The answers are older, and come in the wrong order.
        for route, answer in reversed(held):
            true("deleted at once" in answer.text(), "it is not in the answer")
            route.fulfill(response=answer)
            # There is no answer if the page has given up, on a busy machine.
            if received := route.request.response():
                received.finished()
        page.unroute_all()
        bob.post("counted as well")
        page.locator(NEW).get_by_text("3 new").wait_for()

    @step("two tabs share one stream, and the other one takes it over")
    def _():
        # A page without a stream. One of the page before might be opened, and counted, while the next one loads.
        me.open("/settings")
        with me.tab() as other:
            streams = []
            me.context.on("request", lambda request: "/streaming/" in request.url and streams.append(request.url))
            with page.expect_response(lambda response: "/streaming/" in response.url):
                me.open("/home")
            other.open("/home")
            bob.post("for two")
            for each in [me, other]:
                each.page.locator(NEW).get_by_text("1 new").wait_for()
            same(len(streams), 1, "streams")
            with other.page.expect_response(lambda response: "/streaming/" in response.url):
                me.open("/settings")
            bob.post("for one")
            other.page.locator(NEW).get_by_text("2 new").wait_for()
            same(len(streams), 2, "streams")

    @step("a large file is uploaded with its progress")
    def _():
        me.open("/settings/files")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "large.bin")
            with open(path, "wb") as file:
                file.truncate(LARGE)
            page.locator("input[type=file]").first.set_input_files(path)
            page.evaluate(PROGRESS)
            button = page.locator("form[enctype='multipart/form-data'] button").first
            with page.expect_navigation():
                button.click()
        same(me.path, "/settings/files?saved", "page")
        true("large.bin" in me.text, "the file is not listed")
        values = json.loads(page.evaluate("sessionStorage.getItem('progress')"))
        true(values == sorted(values) and values[-1] == 100 and any(0 < value < 100 for value in values), values)

    @step("what was read last is readable without a connection, and says so")
    def _():
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        mine = ada.post("for the train", visibility="direct")
        pages = {"/home": "for two", "/@bob": "seen at", f"/@ada/{mine}": "for the train"}
        for path, text in pages.items():
            me.open(path)
            is_kept(page, path, text)
        me.context.set_offline(True)
        with watch.errors_expected():
            for path, text in reversed(pages.items()):
                page.goto(path)
                true(text in me.text, f"{path} is not readable")
                note = page.get_by_role("status").filter(has_text="You are offline")
                true(note.is_visible() and "202" in note.text_content(), "nothing says so")
                same(me.member(), "ada", "member")
            button = me.button("Favourite", page.get_by_role("article").first)
            button.click()
            page.get_by_role("alert").filter(has_text="cannot be reached").wait_for()
            same(button.get_attribute("aria-pressed"), "false", "aria-pressed")
            me.context.set_offline(False)
            page.get_by_text("You are offline").wait_for(state="detached")
        same(me.path, "/home", "page")

    @step("pages of settings and forms are not kept, nor anything of the API")
    def _():
        for path in ["/settings", "/compose", "/notifications"]:
            me.open(path)
        me.open("/")
        is_kept(page, "/")
        kept = page.evaluate("""async () => {
          const all = [];
          for (const name of await caches.keys()) {
            for (const request of await (await caches.open(name)).keys()) all.push(new URL(request.url).pathname);
          }
          return all;
        }""")
        for path in kept:
            first = path.split("/")[1]
            true(first in ["", "home", "assets", "tags"] or first.startswith("@"), f"{path} is kept")

    @step("nothing of a member is left after a logout, or for the next member")
    def _():
        same(page.evaluate(KEPT), ["pages /@ada"], "pages")
        me.open("/compose")
        me.fill("Text", "a secret draft")
        me.open("/home")
        is_kept(page, "/home")
        me.log_out()
        page.wait_for_function(f"() => {KEPT}.then(names => !names.some(name => name.includes('@')))")
        same(page.evaluate("Object.keys(localStorage).filter(name => name.startsWith('draft'))"), [], "drafts")
        me.log_in("bob")
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        me.open("/")
        me.open("/@bob")
        is_kept(page, "/@bob")
        # Somebody else logs in where nobody has logged out.
        me.context.clear_cookies()
        me.open("/home")
        true(me.path.startswith("/login"), me.path)
        page.wait_for_function(f"() => {KEPT}.then(names => !names.some(name => name.includes('@')))")
        me.log_in("ada")
        me.open("/@ada")
        is_kept(page, "/@ada")
        same(page.evaluate(KEPT), ["pages /@ada"], "pages")
        me.context.set_offline(True)
        with watch.errors_expected():
            for path in ["/@bob", "/"]:
                try:
                    page.goto(path)
                except Exception as error:
                    true("ERR_" in str(error), error)
                same(page.locator("main").count(), 0, f"main parts of {path}")
        me.context.set_offline(False)

    @step("nothing has gone wrong, and nothing was asked of another host")
    def _():
        watch.finish()

step.finish()
