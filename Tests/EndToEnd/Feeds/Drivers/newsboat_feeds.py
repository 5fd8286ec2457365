"""newsboat shows, marks and updates the feeds of a server: newsboat_feeds.py ADDRESS TOKEN FOLDER"""

import json
import os
import sqlite3
import subprocess
import sys
import time
import urllib.parse
import urllib.request

address, token, folder = sys.argv[1:4]
failures = 0
os.environ["HOME"] = folder


def check(name, condition, shown=""):
    global failures
    print(("ok " if condition else "FAIL ") + name, "" if condition else repr(shown))
    failures += not condition


def call(method, path, **fields):
    request = urllib.request.Request(address + path, method=method, data=urllib.parse.urlencode(fields).encode() or None)
    request.add_header("Authorization", "Bearer " + token)
    return json.load(urllib.request.urlopen(request))


def change(method, path, **fields):
    # newsboat ignores a feed whose Last-Modified, in whole seconds, is not newer than that of the one it has.
    time.sleep(2.1)
    call(method, path, **fields)


class Reader:
    """newsboat with one feed, because it shows a post that several feeds contain in one of them only."""

    def __init__(self, number, url):
        self.url, self.place = url, "%s/%d-" % (folder, number)
        self.write("urls", [url])
        self.write("config", ['reset-unread-on-update "%s"' % url])

    def write(self, name, lines):
        with open(self.place + name, "w") as file:
            file.write("".join(line + "\n" for line in lines))

    def run(self, *arguments):
        options = ["-q", "-u", self.place + "urls", "-c", self.place + "cache", "-C", self.place + "config"]
        return subprocess.run(["newsboat"] + options + list(arguments), capture_output=True, text=True).stdout

    def unread(self):
        return int(self.run("-x", "reload", "print-unread").split()[0])

    def items(self):
        with sqlite3.connect(self.place + "cache") as database:
            return database.execute("SELECT title, author, content, guid FROM rss_item WHERE deleted = 0").fetchall()

    def mark(self):
        self.write("read", [item[3] for item in self.items()])
        self.run("-I", self.place + "read")

    def check(self, name, condition):
        check("%s: %s" % (self.url, name), condition, self.items())


first = call("POST", "/api/v1/statuses", status="Hello from the quay #boats")["id"]
call("POST", "/api/v1/statuses", status="Fish #boats", spoiler_text="food")
call("POST", "/api/v1/statuses", status="<script>alert(1)</script> ]]> \u0600<b> \x1b[31m #boats")
call("POST", "/api/v1/statuses", status="Behind a curtain #boats", visibility="unlisted")
places = ["/feed.atom", "/@ada.rss", "/tags/boats/feed.rss"]
readers = [Reader(number, address + place) for number, place in enumerate(places)]
for reader in readers:
    reader.check("all articles are unread", reader.unread() == 3)
    items = reader.items()
    titles = {item[0] for item in items}
    reader.check("titles", {"Hello from the quay #boats", "Content warning: food"} < titles)
    reader.check("authors", all(item[1] == "ada" for item in items))
    reader.check("content", any("Fish" in item[2] for item in items))
    reader.check("no script", not any("<script" in item[2] for item in items))
    reader.mark()
    reader.check("articles can be marked", reader.unread() == 0)
check("a post has the same id in every feed", len({item[3] for reader in readers for item in reader.items()}) == 3)
change("PUT", "/api/v1/statuses/" + first, status="Edited at the quay #boats")
for reader in readers:
    reader.check("an edited post is unread again", reader.unread() == 1)
    reader.check("its text is new", any("Edited at the quay" in item[2] for item in reader.items()))
change("POST", "/api/v1/statuses", status="A new post #boats")
for reader in readers:
    reader.check("a new post is unread", reader.unread() == 2)
sys.exit(failures > 0)
