"""A member's settings without script: profile, picture, time zone, filter, token, password, and the end of the account.
Usage: python settings.py http://HOST:PORT, a server with the accounts ada, bob and cleo
"""

import sys

from surf import API, PASSWORD, Browser, Steps, png, same, true

ADDRESS = sys.argv[1]
NEW = "another secret password"

step = Steps()
bob = API(ADDRESS).log_in("bob")

with Browser(ADDRESS) as browser:
    me, other = browser.member("ada"), browser.member("ada")
    page = me.page

    def saved(path):
        same(me.path, path + "?saved", "path")
        true("Saved." in me.text, "nothing says that it is saved")

    @step("the navigation leads to the settings")
    def _():
        me.open("/home")
        page.locator("nav summary").first.click()
        me.follow("Settings")
        same(me.path, "/settings", "path")

    @step("the profile gets a name and a picture")
    def _():
        me.open("/settings/profile")
        me.fill("Display name", "Ada <L>")
        me.press("Save")
        saved("/settings/profile")
        picture = {"name": "p.png", "mimeType": "image/png", "buffer": png(1)}
        page.get_by_label("New picture").first.set_input_files(picture)
        me.press("Upload")
        saved("/settings/profile")
        true(me.has_button("Remove the picture"), "there is no picture to remove")
        me.open("/@ada")
        true("Ada <L>" in me.text, "the profile has another name")

    @step("the form for posts has the time zone of the member")
    def _():
        me.open("/settings/preferences")
        page.get_by_label("Time zone").select_option("Asia/Tokyo")
        me.press("Save")
        saved("/settings/preferences")
        me.open("/compose")
        true("Date and time (Asia/Tokyo)" in me.text, "the time zone is another")

    @step("the pages are in the language of the member")
    def _():
        me.open("/settings/preferences")
        page.get_by_label("Language of the pages").select_option("de")
        me.press("Save")
        true("Gespeichert." in me.text, "the pages are in another language")
        true(page.locator("html").get_attribute("lang") == "de", "the page says that it is in another language")
        page.get_by_label("Sprache der Seiten").select_option("")
        me.press("Speichern")
        saved("/settings/preferences")

    @step("a filter leaves posts out until it is deleted")
    def _():
        bob.post("all about cats")
        me.open("/settings/filters")
        me.fill("Title", "No cats")
        page.get_by_label("What it does").select_option("hide")
        me.fill("Keyword 1", "cats")
        me.press("Create")
        true(me.path.endswith("?saved"), me.path)
        me.open("/")
        true("all about cats" not in me.text, "the post is shown")
        me.open("/settings/filters")
        me.follow("No cats")
        me.press("Delete the filter")
        me.open("/")
        true("all about cats" in me.text, "the post is not shown")

    @step("a token for a program is shown once")
    def _():
        me.open("/settings/logins")
        me.fill("Name of the program", "script")
        page.get_by_label("Only post, edit and delete posts").check()
        me.press("Make a token")
        secret = page.locator(".code").text_content()
        same(len(secret), 43, "length of the token")
        me.open("/settings/logins")
        true(secret not in me.text and "script" in me.text, "the token is shown again, or not listed")

    def change_password(old, status):
        me.open("/settings/password")
        me.fill("Current password", old)
        me.fill("New password", NEW)
        me.fill("New password again", NEW)
        me.press("Change password", status=status)

    @step("a wrong password is refused at its field")
    def _():
        change_password("wrong", 422)
        field = page.get_by_label("Current password", exact=True)
        same(field.get_attribute("aria-invalid"), "true", "aria-invalid")
        message = page.locator("#" + field.get_attribute("aria-describedby"))
        true(message.is_visible() and message.text_content().strip(), "there is no message")

    @step("a new password ends the other login, and not this one")
    def _():
        change_password(PASSWORD, 200)
        saved("/settings/password")
        other.page.goto("/settings")
        true(other.path.startswith("/login"), other.path)
        me.open("/settings")

    @step("the account ends with its password")
    def _():
        me.open("/settings/delete")
        me.fill("Your password", NEW)
        me.press("Delete my account for good")
        same((me.path, me.member()), ("/", None), "page and member")
        me.open("/@ada", 404)

step.finish()
