"""A member's day with script: reactions, votes and follows without a load, pictures that are dropped and pasted, drafts,
older posts, keys, times and colors.
Usage: python scripted.py http://HOST:PORT, a server with the accounts ada, bob and cleo
"""

import base64
import re
import sys
import urllib.parse

from surf import API, Browser, Steps, Watch, png, same, true

ADDRESS = sys.argv[1]
# Script and style, uncompressed, and what a first visit may load without pictures.
CODE, FIRST = 80_000, 150_000

step = Steps()
api = API(ADDRESS)
ada, bob, cleo = (api.log_in(name) for name in ["ada", "bob", "cleo"])

# Gives files to the page as a person would who drops or pastes them.
GIVE = """([kind, bytes, name]) => {
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.from(atob(bytes), each => each.charCodeAt(0))], name, {type: 'image/png'}));
  const target = document.querySelector('textarea[name=status]');
  target.dispatchEvent(kind === 'drop'
    ? new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true})
    : new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));
}"""
TOP = """() => {
  const bar = document.querySelector('.site-header').offsetHeight;
  const post = [...document.querySelectorAll('.status')].find(each => each.getBoundingClientRect().bottom > bar);
  return [post.dataset.id, Math.round(post.getBoundingClientRect().top)];
}"""


def status(number):
    return ada("GET", f"/api/v1/statuses/{number}")


def squeezed(text):
    return "".join(text.split())


def text_of(page):
    return page.get_by_label("Text", exact=True).input_value()


def path(number):
    return urllib.parse.urlsplit(status(number)["url"]).path


with Browser(ADDRESS) as browser:
    me = browser.member("ada", scripts=True, timezone_id="Asia/Tokyo")
    page, watch = me.page, Watch(me)

    def sent(action, until):
        """The requests that an action has caused when it is answered and something is true."""
        with watch.requests() as requests:
            with page.expect_response(lambda response: response.request.method == "POST") as answer:
                action()
            # Until the page has read the answer, it ignores the same action. It reads answers in their order.
            if answer.value.ok:
                answer.value.finished()
                page.evaluate("fetch('/api/v1/instance').then(answer => answer.text())")
            page.wait_for_function(until)
        return requests

    @step("a first visit loads little")
    def _():
        visitor = browser.visitor(scripts=True)
        sizes = Watch(visitor).sizes
        visitor.open("/")
        visitor.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        texts = {address: size for address, (kind, size) in sizes().items() if kind != "image"}
        code = sum(size for address, size in texts.items() if "/assets/" in address)
        true(code < CODE and len(texts) > 5, f"script and style have {code} bytes: {texts}")
        true(sum(texts.values()) < FIRST, texts)

    for name, verb, field in [("Favourite", "favourite", "favourited"), ("Boost", "reblog", "reblogged"),
                              ("Bookmark", "bookmark", "bookmarked")]:

        @step(f"{name} is one request, and is taken back by another")
        def _(name=name, verb=verb, field=field):
            theirs = bob.post("to press " + name)
            me.open(path(theirs))
            button = me.button(name, me.post("to press " + name))
            for is_set, prefix in [(True, ""), (False, "un")]:
                pressed = f"() => document.querySelector('[formaction$={'un' if is_set else ''}{verb}]')"
                found = sent(button.click, pressed)
                same(found, [f"POST /api/v1/statuses/{theirs}/{prefix}{verb}"], "requests")
                same(button.get_attribute("aria-pressed"), str(is_set).lower(), "aria-pressed")
                same(status(theirs)[field], is_set, field)
                if name != "Bookmark":
                    same("1" in button.text_content(), is_set, "number")

    @step("a reaction that fails is undone, with a message")
    def _():
        theirs = bob.post("not today")
        me.open(path(theirs))
        button = me.button("Favourite", me.post("not today"))
        with watch.cut(f"**/api/v1/statuses/{theirs}/*"):
            button.click()
            page.get_by_role("alert").filter(has_text="cannot be reached").wait_for()
        same(button.get_attribute("aria-pressed"), "false", "aria-pressed")
        bob("DELETE", f"/api/v1/statuses/{theirs}")
        with watch.errors_expected():
            button.click()
            page.get_by_role("alert").filter(has_text="not possible any more").wait_for()
        same(button.get_attribute("aria-pressed"), "false", "aria-pressed")

    @step("a post is pinned")
    def _():
        mine = ada.post("my best")
        me.open(path(mine))
        found = sent(me.button("Pin", me.post("my best")).click, "() => document.querySelector('[formaction$=unpin]')")
        same((found, status(mine)["pinned"]), ([f"POST /api/v1/statuses/{mine}/pin"], True), "request and state")

    @step("a vote is one request, and shows the result")
    def _():
        for text, multiple, votes in [("red or blue?", "false", [1]), ("what do you read?", "true", [0, 1])]:
            theirs = bob.post(text, **{"poll[options][0]": "one", "poll[options][1]": "two",
                                       "poll[expires_in]": 86400, "poll[multiple]": multiple})
            me.open(path(theirs))
            for number in votes:
                me.post(text).get_by_label(["one", "two"][number]).check()
            found = sent(me.button("Vote", me.post(text)).click, "() => document.querySelector('.poll-share')")
            same(found, [f"POST /api/v1/polls/{theirs}/votes"], "requests")
            same(status(theirs)["poll"]["own_votes"], votes, "votes")
            shown = page.locator(".poll").text_content()
            page.reload()
            same(squeezed(shown), squeezed(page.locator(".poll").text_content()), "poll after a reload")

    @step("a follow is one request, and is taken back")
    def _():
        me.open("/@bob")
        for name, other, is_following in [("Follow", "Unfollow", True), ("Unfollow", "Follow", False)]:
            button = me.button(name, page.get_by_role("main"))
            found = sent(button.click, f"() => document.querySelector('.relation form[action$=\"/{other.lower()}\"]')")
            same(found, [f"POST /@bob/{name.lower()}"], "requests")
            page.wait_for_function("is => (document.querySelector('[data-follow-state]') !== null) === is",
                                   arg=is_following)
            true(me.has_button(other, page.get_by_role("main")), f"there is no {other}")
            bobs = ada("GET", "/api/v1/accounts/lookup?acct=bob")["id"]
            found = ada("GET", f"/api/v1/accounts/relationships?id[]={bobs}")[0]["following"]
            same(found, is_following, "following")

    @step("pictures are dropped and pasted, and posted after a question about their description")
    def _():
        me.open("/compose")
        me.fill("Text", "what I see")
        for number, kind in enumerate(["drop", "paste"], 1):
            picture = base64.b64encode(png(40 * number)).decode()
            page.evaluate(GIVE, [kind, picture, kind + ".png"])
            page.locator(".attachment").nth(number - 1).wait_for()
            page.get_by_label("Description").last.fill("Field " + str(number) if number == 1 else "")
        same(page.locator(".attachment-preview").count(), 2, "previews")
        same(page.get_by_label("Text", exact=True).input_value(), "what I see", "text")
        me.button("Post", page.get_by_role("main")).last.click()
        page.get_by_role("dialog").get_by_role("button", name="Add a description").click()
        page.wait_for_function("() => document.activeElement.matches('.attachment textarea')")
        page.keyboard.type("Field 2")
        me.go(page.get_by_role("main").locator(".button-main"))
        for number in [1, 2]:
            true(me.post("what I see").get_by_role("img", name=f"Field {number}").count(), f"no picture {number}")

    @step("what is not a picture is refused, and what is typed stays")
    def _():
        me.open("/compose")
        me.fill("Text", "nearly")
        broken = {"name": "broken.png", "mimeType": "image/png", "buffer": b"no picture"}
        with watch.errors_expected():
            page.locator("input[type=file]").set_input_files(broken)
            page.locator("#media-error").wait_for()
        same(page.get_by_label("Text", exact=True).input_value(), "nearly", "text")
        page.locator("input[type=file]").set_input_files(
            {"name": "a.txt", "mimeType": "text/plain", "buffer": b"no picture"})
        page.get_by_role("alert").filter(has_text="Only pictures").wait_for()
        me.fill("Text", "")

    @step("a draft is kept until it is posted")
    def _():
        me.open("/compose")
        me.fill("Text", "half a thought")
        page.get_by_label("Who can see it").select_option("unlisted")
        me.open("/home")
        me.open("/compose")
        same(page.get_by_label("Text", exact=True).input_value(), "half a thought", "text")
        same(page.get_by_label("Who can see it").input_value(), "unlisted", "visibility")
        me.go(page.get_by_role("main").locator(".button-main"))
        me.open("/compose")
        same(page.get_by_label("Text", exact=True).input_value(), "", "text after the post")
        me.fill("Text", "forget this")
        me.open("/compose")
        page.get_by_role("button", name="Discard").click()
        me.open("/compose")
        same(page.get_by_label("Text", exact=True).input_value(), "", "discarded text")

    @step("a draft outlives other defaults and a post that fails")
    def _():
        me.open("/compose")
        me.fill("Text", "worth keeping")
        for visibility in ["private", "public"]:
            ada("PATCH", "/api/v1/accounts/update_credentials", **{"source[privacy]": visibility})
            me.open("/compose")
            same(text_of(page), "worth keeping", "text")
        me.context.clear_cookies()
        with watch.errors_expected(), page.expect_navigation():
            page.get_by_role("main").locator(".button-main").click()
        me.log_in("ada")
        me.open("/compose")
        same(text_of(page), "worth keeping", "text after the failure")
        page.get_by_role("button", name="Discard").click()

    @step("a post waits for its picture, and stays if the upload fails")
    def _():
        held = []
        me.open("/compose")
        me.fill("Text", "look at this")
        page.route("**/compose", lambda route: held.append(route))
        page.evaluate(GIVE, ["drop", base64.b64encode(png(40)).decode(), "late.png"])
        page.locator("progress").wait_for()
        for _ in range(2):
            page.get_by_role("main").locator(".button-main").last.click()
        while not held:
            page.wait_for_timeout(10)
        with watch.errors_expected():
            held[0].abort()
            page.locator("progress").wait_for(state="detached")
            page.get_by_role("alert").filter(has_text=re.compile(".")).wait_for()
        page.unroute("**/compose")
        same((len(held), me.path, text_of(page)), (1, "/compose", "look at this"), "requests, page and text")
        me.fill("Text", "")

    @step("text that is pasted with a picture of itself stays text")
    def _():
        is_text = page.evaluate("""() => {
          const data = new DataTransfer();
          data.items.add(new File(['x'], 'x.png', {type: 'image/png'}));
          data.setData('text/plain', 'x');
          const paste = new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true});
          return document.querySelector('textarea[name=status]').dispatchEvent(paste);
        }""")
        true(is_text, "the text is lost")

    @step("older people load at the end of a list")
    def _():
        mine = ada("GET", "/api/v1/accounts/verify_credentials")["id"]
        for each in [bob, cleo]:
            each("POST", f"/api/v1/accounts/{mine}/follow")
        me.open("/@ada/followers?limit=1")
        page.wait_for_function("() => document.querySelectorAll('.person').length === 2")
        same(page.locator(".pager-older").count(), 0, "links to older people")

    @step("older posts load at the end, and the back button leads to the same place")
    def _():
        for number in range(50):
            cleo.post(f"post {number} #many")
        me.open("/tags/many")
        for wanted in [40, 50]:
            # The wheel scrolls no further than what had been painted, which posts that have just been added may not be.
            page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
            page.wait_for_function("count => document.querySelectorAll('.status').length >= count", arg=wanted)
        same(page.locator(".status").count(), 50, "posts")
        same(page.locator(".pager-older").count(), 0, "links to older posts")
        page.get_by_text("post 12 ").first.scroll_into_view_if_needed()
        place = page.evaluate(TOP)
        page.get_by_text("post 12 ").first.locator("xpath=ancestor::article").locator("time").click()
        page.wait_for_url("**/@cleo/*")
        page.go_back()
        page.wait_for_function("count => document.querySelectorAll('.status').length >= count", arg=50)
        page.wait_for_function(f"place => JSON.stringify(({TOP})()) === JSON.stringify(place)", arg=place)
        page.reload()
        page.wait_for_function(f"place => JSON.stringify(({TOP})()) === JSON.stringify(place)", arg=place)

    @step("keys move, open, reply, write and search, but not while typing")
    def _():
        me.open("/tags/many")
        focused = "document.activeElement.dataset.id ?? null"
        ids = page.evaluate("[...document.querySelectorAll('.status')].slice(0, 2).map(each => each.dataset.id)")
        page.keyboard.press("j")
        same(page.evaluate(focused), ids[0], "first post")
        page.keyboard.press("j")
        same(page.evaluate(focused), ids[1], "second post")
        page.keyboard.press("Control+k")
        same(page.evaluate(focused), ids[1], "post after a key with a modifier")
        page.keyboard.press("k")
        same(page.evaluate(focused), ids[0], "first post")
        page.keyboard.press("r")
        page.wait_for_url(f"**/compose?in_reply_to_id={ids[0]}")
        page.get_by_label("Text", exact=True).focus()
        page.keyboard.press("End")
        page.keyboard.type("n/?jk")
        true(page.get_by_label("Text", exact=True).input_value().endswith("n/?jk"), "typed keys are lost")
        me.fill("Text", "@cleo ")
        me.open("/home")
        page.keyboard.press("n")
        page.wait_for_url("**/compose")
        me.open("/home")
        page.keyboard.press("/")
        page.wait_for_url("**/search")
        page.keyboard.press("/")
        same(page.evaluate("document.activeElement.name"), "q", "field")
        page.locator("main").focus()
        page.keyboard.press("?")
        page.get_by_role("dialog", name="Keys").get_by_label("Use these keys").uncheck()
        page.keyboard.press("Escape")
        page.keyboard.press("n")
        page.keyboard.press("?")
        page.get_by_role("dialog", name="Keys").get_by_label("Use these keys").check()
        same(me.path, "/search", "page after keys that are off")

    @step("times are in the reader's zone")
    def _():
        me.open(path(ada.post("what time is it?")))
        true("GMT+9" in page.locator(".stamp time").first.text_content(), page.locator(".stamp").text_content())
        me.open("/settings/preferences")
        page.get_by_label("Time zone").select_option("America/Lima")
        me.press("Save")
        me.open("/home")
        time = page.locator("time[data-relative]").first
        true("GMT-5" in time.get_attribute("title"), time.get_attribute("title"))
        # On a busy machine, a minute may have passed.
        true(re.fullmatch(r"now|\d+m", time.text_content()), time.text_content())

    @step("colors are switched, in the settings of a member and in the browser of a visitor")
    def _():
        background = "getComputedStyle(document.body).backgroundColor"
        visitor = browser.visitor(scripts=True)
        for each, reads in [(me, "/home"), (visitor, "/")]:
            each.open(reads)
            light = each.page.evaluate(background)
            each.page.get_by_role("button", name="Dark colours").click()
            dark = each.page.evaluate(background)
            true(dark != light, "nothing changes")
            each.page.get_by_role("button", name="Light colours").wait_for()
            if each is me:
                page.wait_for_function("name => performance.getEntriesByName(name).length",
                                       arg=ADDRESS + "/settings/preferences")
            each.open("/@bob")
            same(each.page.evaluate(background), dark, "color of the next page")
        me.open("/settings/preferences")
        same(page.get_by_label("Colours of the pages").input_value(), "dark", "setting")

    @step("nothing has gone wrong, and nothing was asked of another host")
    def _():
        watch.finish()

step.finish()
