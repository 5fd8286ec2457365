"""feedparser reads the feeds of a server: feedparser_feeds.py ADDRESS TOKEN"""

import json
import sys
import urllib.parse
import urllib.request

import feedparser

address, token = sys.argv[1:3]
failures = 0


def check(name, condition, shown=""):
    global failures
    print(("ok " if condition else "FAIL ") + name, "" if condition else repr(shown))
    failures += not condition


def call(method, path, **fields):
    form = urllib.parse.urlencode([(key.replace("__", "[]"), value) for key, value in fields.items()], doseq=True)
    request = urllib.request.Request(address + path, method=method, data=form.encode() or None)
    request.add_header("Authorization", "Bearer " + token)
    return json.load(urllib.request.urlopen(request))


def post(text, **fields):
    return call("POST", "/api/v1/statuses", status=text, **fields)["id"]


hostile = ["]]>", "<script>alert(1)</script>", "\u202eevil", "\u0600<b>\u0600]]>", "bell\x07 \x1b[31m", "&#x1B;&nbsp;",
           "\ufffe\uffff.", "<![CDATA[x]]>", "\U0001F469\u200d\U0001F469 \"'&"]
ids = [post(text) for text in hostile]
first = post("Hello from the quay #harbour #Boats", language="de")
post("Fish again", spoiler_text="food")
reply = post("And a reply", in_reply_to_id=first)
post("Tea?", **{"poll[options][]": ["Tea", "<Coffee>"], "poll[expires_in]": 600})
call("PUT", "/api/v1/statuses/" + ids[0], status="edited ]]>")

places = {"/feed": 13, "/@ada/feed": 13, "/@ada/%s/feed" % first: 1, "/tags/harbour/feed": 1, "/tags/none/feed": 0}
for place, count in places.items():
    for kind, version in [("atom", "atom10"), ("rss", "rss20")]:
        found = feedparser.parse(address + place + "." + kind)
        name = place + "." + kind
        check(name + " is well-formed", not found.bozo, found.get("bozo_exception"))
        check(name + " has its version", found.version == version, found.version)
        check(name + " has all entries", len(found.entries) == count, len(found.entries))
        check(name + " has a title", bool(found.feed.title))
        again = feedparser.parse(address + place + "." + kind, etag=found.etag)
        check(name + " is not sent again", again.status == 304 and not again.entries, again.status)
    data = json.load(urllib.request.urlopen(address + place + ".json"))
    check(place + ".json has all entries", len(data["items"]) == count, len(data["items"]))

feeds = [feedparser.parse(address + "/@ada/feed." + kind) for kind in ("atom", "rss")]
data = json.load(urllib.request.urlopen(address + "/@ada/feed.json"))
check("all formats have the same ids",
      [e.id for e in feeds[0].entries] == [e.id for e in feeds[1].entries] == [e["id"] for e in data["items"]])
# feedparser changes the case of what looks like a character reference in RSS.
titles = [[entry.title.lower() for entry in found.entries] for found in feeds]
check("all formats have the same titles", titles[0] == titles[1], titles)
for found in feeds:
    by_title = {entry.title: entry for entry in found.entries}
    hello = by_title["Hello from the quay #harbour #Boats"]
    check("hashtags", [tag.term for tag in hello.tags] == ["harbour", "Boats"], hello.tags)
    check("link", hello.link == address + "/@ada/" + first, hello.link)
    check("author", hello.author == "ada", hello.author)
    check("time", hello.published_parsed is not None)
    warned = by_title["Content warning: food"]
    check("warning", warned.summary == "Content warning: food", warned.summary)
    check("content behind the warning", "Fish again" in warned.content[0].value, warned.content)
    poll = by_title["Tea?"]
    html = poll.content[0].value if "content" in poll else poll.summary
    check("poll", "<li>Tea" in html and "&lt;Coffee&gt;" in html, html)
    edited = by_title["edited ]]>"]
    check("edit", edited.updated_parsed >= edited.published_parsed, edited.updated)
    check("no control characters", all(ord(c) >= 32 for e in found.entries for c in e.title))

pages = feedparser.parse(address + "/feed.rss")
for number in range(45):
    post("number %d" % number)
seen, place = [], address + "/@ada/feed.atom"
while place:
    page = feedparser.parse(place)
    check("page is well-formed", not page.bozo)
    seen += [entry.id for entry in page.entries]
    place = next((link.href for link in page.feed.links if link.rel == "next"), None)
check("pages contain every post once", len(seen) == 58 and len(set(seen)) == 58, len(seen))

for path in ["/@nobody/feed.atom", "/@nobody.rss"]:
    check(path + " is not found", feedparser.parse(address + path).status == 404)
sys.exit(failures > 0)
