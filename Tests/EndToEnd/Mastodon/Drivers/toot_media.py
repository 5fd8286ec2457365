"""toot posts pictures, and changes avatar and header. Usage: python toot_media.py http://HOST:PORT"""

import json
import os
import tempfile
import urllib.request

from pictures import png
from steps import Steps, refused, same, true
from toot_program import IS_OLD, Toot, base, shown

step = Steps()
ada, bob = Toot("ada"), Toot("bob")
folder = tempfile.TemporaryDirectory()


def picture(name, red, width=64, height=36):
    path = os.path.join(folder.name, name)
    with open(path, "wb") as file:
        file.write(png(red, width, height))
    return path


def entity(path):
    with urllib.request.urlopen(base() + path, timeout=300) as response:
        return json.load(response)


def fetched(address):
    """The type and the bytes at an address."""
    with urllib.request.urlopen(address, timeout=300) as response:
        return response.headers["Content-Type"], response.read()


def attached(status):
    return entity(f"/api/v1/statuses/{status}")["media_attachments"]


@step("two pictures with descriptions")
def _():
    one, two = picture("one.png", 1), picture("two.png", 2, 40, 40)
    status = ada.post("look", "-m", one, "-d", "the first", "-m", two, "-d", "the second: 中文 🎉", "-s")
    media = attached(status)
    same([entry["description"] for entry in media], ["the first", "the second: 中文 🎉"])
    same([fetched(entry["url"]) for entry in media], [("image/png", png(1)), ("image/png", png(2, 40, 40))])
    true(entity(f"/api/v1/statuses/{status}")["sensitive"], "not sensitive")
    said = bob.run("thread", status)
    same(shown(said), [status])
    # toot breaks lines.
    true(all(entry["url"] in said.replace("\n", "") for entry in media), said)


@step("four pictures, and no text")
def _():
    options = [word for number in range(4) for word in ("--media", picture(f"{number}.png", 10 + number))]
    media = attached(ada.post("four", *options))
    same([fetched(entry["url"])[1] for entry in media], [png(10 + number) for number in range(4)])
    same([entry["description"] for entry in media], [None] * 4)


@step("a file that is no picture is refused, and nothing is posted")
def _():
    path = os.path.join(folder.name, "notes.png")
    with open(path, "w", encoding="utf-8") as file:
        file.write("no picture")
    status = ada.post("the last one")
    refused(lambda: ada.post("never", "-m", path))
    same(shown(bob.run("timeline", "--public", "-1", "-c", "1")), [status], "newest status")


if not IS_OLD:

    @step("a custom thumbnail")
    def _():
        status = ada.post("thumb", "-m", picture("large.png", 20), "--thumbnail", picture("small.png", 21, 20, 20))
        (media,) = attached(status)
        true(media["preview_url"] != media["url"], "no thumbnail of its own")
        same(fetched(media["url"])[1], png(20), "picture")

    @step("avatar and header")
    def _():
        ada.run("update_account", "--avatar", picture("avatar.png", 30, 32, 32),
                "--header", picture("header.png", 31, 90, 30))
        found = entity("/api/v1/accounts/lookup?acct=ada")
        same(fetched(found["avatar"]), ("image/png", png(30, 32, 32)), "avatar")
        same(fetched(found["header"]), ("image/png", png(31, 90, 30)), "header")


step.finish()
