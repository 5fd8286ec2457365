"""toot logs in, in both ways it supports. Usage: python toot_login.py http://HOST:PORT"""

from steps import Steps, refused, same, true
from toot_program import IS_OLD, PASSWORD, Toot, server

step = Steps()


@step("password login")
def _():
    ada = Toot("ada")
    true("@ada" in ada.run("whoami"), "not ada")
    true("ada@" in ada.run("auth"), "not kept")


@step("a wrong password is refused")
def _():
    refused(lambda: Toot("ada", logs_in=False).log_in("wrong"), "Login failed")


@step("an unknown name is refused")
def _():
    refused(lambda: Toot("nobody", logs_in=False).log_in(), "Login failed")


@step("browser login")
def _():
    ada = Toot("ada", logs_in=False)
    true("Successfully logged in" in ada.log_in_by_browser(), "no success")
    true("@ada" in ada.run("whoami"), "not ada")
    true(ada.post("by browser"), "not posted")


@step("a wrong code is refused")
def _():
    ada = Toot("ada", logs_in=False)
    refused(lambda: ada.run("login", *server(), given="n\nwrong-code\n"), "Login failed", "grant")


@step("the server introduces itself")
def _():
    said = Toot("ada").run("instance", *(server()[1:]))
    true("4." in said, f"no version in {said}")


@step("whoami shows the profile")
def _():
    ada = Toot("ada")
    said = ada.run("whoami")
    for word in ("@ada", "ID: ", "Since: 20", "Followers: ", "Statuses: "):
        true(word in said, f"no {word!r} in {said}")
    if not IS_OLD:
        same(ada.json("whoami")["username"], "ada")


step.finish()
