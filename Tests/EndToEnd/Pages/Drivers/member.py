"""A member's day without script: log in, post with a picture and with a poll, reply, edit, delete, vote, favourite,
boost, bookmark, follow, search, log out.
Usage: python member.py http://HOST:PORT, a server with the accounts ada, bob and cleo
"""

import sys
import urllib.parse

from surf import API, PASSWORD, Browser, Steps, png, same, true

ADDRESS = sys.argv[1]

step = Steps()
api = API(ADDRESS)
ada, bob = api.log_in("ada"), api.log_in("bob")


def own_texts():
    me = ada("GET", "/api/v1/accounts/verify_credentials")
    return [status["content"] for status in ada("GET", f"/api/v1/accounts/{me['id']}/statuses?limit=40")]


def count(text):
    return sum(text in content for content in own_texts())


def path(status):
    return urllib.parse.urlsplit(status["url"]).path


def status(number):
    return ada("GET", f"/api/v1/statuses/{number}")


with Browser(ADDRESS) as browser:
    me = browser.visitor()
    page = me.page

    def write(text, **fields):
        me.open("/compose")
        me.fill("Text", text)
        for label, value in fields.items():
            me.fill(label, value)

    def send(name="Post"):
        me.press(name, page.get_by_role("main"))

    def post(text):
        """Opens the thread of a new post of one's own."""
        me.open(path(status(ada.post(text))))
        return me.post(text)

    @step("a wrong password is refused at the form, which keeps the name")
    def _():
        me.open("/login?next=/compose")
        me.fill("Username or email address", "ada")
        me.fill("Password", "wrong-password")
        me.press("Log in", page.get_by_role("main"), 422)
        field = page.get_by_label("Username or email address")
        same(field.input_value(), "ada", "name")
        same(field.get_attribute("aria-invalid"), "true", "aria-invalid")
        message = page.locator("#" + field.get_attribute("aria-describedby").split()[-1])
        true(message.is_visible() and message.text_content().strip(), "there is no message")

    @step("the login leads back to the page that needed it")
    def _():
        me.open("/compose")
        me.fill("Username or email address", "ada")
        me.fill("Password", PASSWORD)
        me.press("Log in", page.get_by_role("main"))
        same(me.path, "/compose", "path")

    @step("the navigation names the member on every page")
    def _():
        for each in ["/", "/home", "/notifications", "/compose", "/search", "/about", "/@bob", "/tags/none"]:
            me.open(each)
            same(me.member(), "ada", f"member on {each}")

    @step("a post is sent once, though the page is loaded again")
    def _():
        write("good morning")
        send()
        true("good morning" in me.text, "it is not shown")
        page.reload()
        same(count("good morning"), 1, "number of posts")

    @step("a double click posts once")
    def _():
        write("clicked twice")
        page.get_by_role("main").get_by_role("button", name="Post").last.dblclick(no_wait_after=True)
        page.wait_for_url(lambda url: not url.endswith("/compose"))
        page.wait_for_load_state("networkidle")
        same(count("clicked twice"), 1, "number of posts")

    @step("a post with a picture and its text")
    def _():
        write("what I see")
        page.locator("input[type=file]").set_input_files(
            {"name": "red.png", "mimeType": "image/png", "buffer": png(200)})
        send("Add media")
        same(page.get_by_label("Text", exact=True).input_value(), "what I see", "kept text")
        page.get_by_label("Description").first.fill("A red field")
        send()
        true(me.post("what I see").get_by_role("img", name="A red field").count(), "the picture is not shown")

    @step("a post with a poll")
    def _():
        write("tea or coffee?")
        if not page.get_by_label("Answer 1").is_visible():
            page.locator("summary", has_text="Poll").click()
        me.fill("Answer 1", "tea")
        me.fill("Answer 2", "coffee")
        send()
        shown = me.post("tea or coffee?").text_content()
        true("tea" in shown and "coffee" in shown and "0 votes" in shown, shown)

    @step("a content warning and a visibility")
    def _():
        write("only for me", **{"Content warning (optional)": "secret"})
        page.get_by_label("Who can see it").select_option(label="Direct: only the people mentioned")
        send()
        true("secret" in me.text, "there is no warning")
        visitor = browser.visitor()
        visitor.open(me.path, 404)

    @step("a text that is too long is refused at the field, and kept")
    def _():
        text = "long " * 5000
        write(text)
        me.press("Post", page.get_by_role("main"), 422)
        field = page.get_by_label("Text", exact=True)
        same(field.input_value(), text, "text")
        same(field.get_attribute("aria-invalid"), "true", "aria-invalid")
        true(any(page.locator("#" + name).get_attribute("role") == "alert"
                 for name in field.get_attribute("aria-describedby").split()), "no message is tied to the field")

    @step("a reply is shown in the thread")
    def _():
        theirs = bob.post("who is there?")
        me.open(path(status(theirs)))
        me.follow("^Reply", me.post("who is there?"))
        true(page.get_by_label("Text", exact=True).input_value().startswith("@bob "), "bob is not mentioned")
        me.fill("Text", "@bob it is me")
        send()
        me.open(path(status(theirs)))
        true("it is me" in me.text, "the reply is missing")

    @step("a post is edited")
    def _():
        me.follow("^Edit", post("a mistkae"))
        same(page.get_by_label("Text", exact=True).input_value(), "a mistkae", "text")
        me.fill("Text", "a mistake")
        send("Save")
        true("a mistake" in me.text and "mistkae" not in me.text, "it is not edited")

    @step("a post is deleted after a question")
    def _():
        shown = post("gone tomorrow")
        me.follow("^Delete", shown)
        same(count("gone tomorrow"), 1, "number of posts before the answer")
        true("gone tomorrow" in me.text, "the question does not show the post")
        send("Delete")
        same(count("gone tomorrow"), 0, "number of posts")

    @step("a vote counts, and is shown")
    def _():
        theirs = bob.post("red or blue?", **{"poll[options][0]": "red", "poll[options][1]": "blue",
                                             "poll[expires_in]": 86400})
        me.open(path(status(theirs)))
        me.post("red or blue?").get_by_label("blue").check()
        me.press("Vote", me.post("red or blue?"))
        same(status(theirs)["poll"]["own_votes"], [1], "votes")
        true("1 vote" in me.post("red or blue?").text_content(), "the vote is not shown")
        true(not me.has_button("Vote", me.post("red or blue?")), "one can vote again")

    for name, field, listed in [("Favourite", "favourited", "/favourites"), ("Boost", "reblogged", "/@ada"),
                                ("Bookmark", "bookmarked", "/bookmarks")]:

        @step(f"{name}, and take it back")
        def _(name=name, field=field, listed=listed):
            text = "to press " + name
            theirs = bob.post(text)
            me.open(path(status(theirs)))
            me.press(name, me.post(text))
            true(status(theirs)[field], "nothing has happened")
            me.open(listed)
            true(text in me.text, f"it is not on {listed}")
            me.open(path(status(theirs)))
            same(me.button(name, me.post(text)).get_attribute("aria-pressed"), "true", "aria-pressed")
            me.press(name, me.post(text))
            true(not status(theirs)[field], "it is not taken back")

    @step("a post is pinned to the profile")
    def _():
        me.press("Pin", post("my best"))
        me.open("/@ada")
        true("my best" in page.get_by_role("article").first.text_content(), "it is not the first")

    @step("a followed member's posts are at home")
    def _():
        bob.post("news of bob")
        me.open("/@bob")
        me.press("Follow", page.get_by_role("main"))
        true(me.has_button("Unfollow", page.get_by_role("main")), "one cannot unfollow")
        me.open("/home")
        true("news of bob" in me.text, "the post is missing")

    @step("a search finds posts and people")
    def _():
        bob.post("a pangolin at noon")
        me.open("/search")
        page.get_by_role("searchbox").fill("pangolin")
        me.press("Search", page.get_by_role("search"))
        true("at noon" in me.text, "the post is missing")
        page.get_by_role("searchbox").fill("bob")
        me.press("Search", page.get_by_role("search"))
        true(page.get_by_role("main").locator("a[href='/@bob']").count(), "the person is missing")

    @step("notifications say who did what")
    def _():
        mine = ada.post("to be noticed")
        bob("POST", f"/api/v1/statuses/{mine}/favourite")
        me.open("/notifications")
        true("favourited your post" in me.text, "the favourite is missing")

    @step("a private note, a mute and a block")
    def _():
        me.open("/@cleo")
        for name, back in [("Mute", "Unmute"), ("Block", "Unblock")]:
            for each in [name, back]:
                me.open("/@cleo")
                if not me.has_button(each, page.get_by_role("main")):
                    page.get_by_role("main").locator("summary", has_text="More").first.click()
                me.press(each, page.get_by_role("main"))
        me.open("/@cleo/note")
        page.get_by_role("main").get_by_role("textbox").fill("met at the fair")
        send("Save")
        me.open("/@cleo")
        true("met at the fair" in me.text, "the note is missing")

    @step("a list with a member shows their posts")
    def _():
        bob.post("for the list")
        me.open("/lists")
        page.get_by_role("main").get_by_role("textbox").first.fill("My friends")
        me.press("Create", page.get_by_role("main"))
        true("My friends" in me.text, "the list is missing")
        same([found["title"] for found in ada("GET", "/api/v1/lists")], ["My friends"], "lists")

    @step("after logout, the back button and the old session show nothing personal")
    def _():
        secret = "dear diary"
        ada.post(secret, visibility="direct")
        for each in ["/home", "/notifications", "/compose", "/bookmarks", "/@ada"]:
            me.open(each)
        true(secret in me.text, "the own profile does not show the post")
        cookies = me.context.cookies()
        me.log_out()
        same(me.member(), None, "member")
        for _ in range(5):
            page.go_back()
            true(me.member() is None and secret not in page.content(), f"{me.path} is still shown")
        me.context.add_cookies(cookies)
        for each in ["/", "/@ada"]:
            me.open(each)
            true(me.member() is None and secret not in page.content(), f"{each} is shown")
        me.open("/home")
        true(me.path.startswith("/login"), me.path)

step.finish()
