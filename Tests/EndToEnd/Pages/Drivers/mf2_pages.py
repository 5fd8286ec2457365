"""mf2py reads the microformats of the pages of a server: mf2_pages.py ADDRESS TOKEN OTHER-TOKEN"""

import json
import sys
import urllib.parse
import urllib.request

import mf2py

address, ada, bob = sys.argv[1:4]
failures = 0


def check(name, condition, shown=""):
    global failures
    print(("ok " if condition else "FAIL ") + name, "" if condition else repr(shown))
    failures += not condition


def call(token, method, path, **fields):
    form = urllib.parse.urlencode(fields)
    request = urllib.request.Request(address + path, method=method, data=form.encode() or None)
    request.add_header("Authorization", "Bearer " + token)
    return json.load(urllib.request.urlopen(request))


def post(token, text, **fields):
    return call(token, "POST", "/api/v1/statuses", status=text, **fields)["id"]


def items(path, kind):
    """The items of a page of one type, at any depth, with their properties."""
    with urllib.request.urlopen(address + path) as response:
        found = mf2py.parse(doc=response.read(), url=address + path)
    every = []

    def visit(item):
        every.append(item)
        for values in item.get("properties", {}).values():
            for value in values:
                if isinstance(value, dict) and "type" in value:
                    visit(value)
        for child in item.get("children", []):
            visit(child)

    for item in found["items"]:
        visit(item)
    return [item["properties"] for item in every if kind in item["type"]]


def entry(path, text):
    """The entry of a page whose content begins with a text."""
    found = [item for item in items(path, "h-entry") if item.get("content", [{}])[0].get("value", "").startswith(text)]
    return found[0] if len(found) == 1 else {}


first = post(ada, "Hello from the quay #Harbour <b>", language="de")
reply = post(bob, "And a reply without a mention", in_reply_to_id=first)
call(ada, "PUT", "/api/v1/statuses/" + first, status="Hello again from the quay #Harbour <b>", language="de")
call(bob, "POST", "/api/v1/statuses/%s/reblog" % first)
url = "%s/@ada/%s" % (address, first)

for path in ["/", "/@ada", "/@ada/" + first]:
    found = entry(path, "Hello again")
    check(path + " has the entry", found, items(path, "h-entry"))
    check(path + " has its address", found.get("url") == [url], found.get("url"))
    check(path + " has its category", found.get("category") == ["Harbour"], found.get("category"))
    check(path + " has its times", len(found.get("published", [])) == len(found.get("updated", [])) == 1, found)
    html = found.get("content", [{}])[0]
    check(path + " has its language", html.get("lang") == "de", html)
    check(path + " has its text", "<b>" in html.get("value", ""), html)
    author = found.get("author", [{}])[0].get("properties", {})
    check(path + " names the author", author.get("name") == ["ada"], author)
    check(path + " links the author", author.get("url") == [address + "/@ada"], author)
    check(path + " shows the author", bool(author.get("photo")), author)

answer = entry("/@ada/" + first, "And a reply")
check("a reply names its parent", answer.get("in-reply-to") == [url], answer)
boosts = [item for item in items("/@bob", "h-entry") if item.get("repost-of")]
check("a boost names its post", [item["repost-of"] for item in boosts] == [[url]], boosts)
check("a boost names its author", boosts and boosts[0]["author"][0]["properties"]["name"] == ["bob"], boosts)
cards = [card for card in items("/@ada", "h-card") if card.get("url") == [address + "/@ada"]]
check("a profile is a card", cards and cards[0]["name"] == ["ada"] and cards[0].get("photo"), cards)
field = {"fields_attributes[0][name]": "Web", "fields_attributes[0][value]": "https://ada.test/"}
call(ada, "PATCH", "/api/v1/accounts/update_credentials", note="On the quay", **field)
card = [card for card in items("/@ada", "h-card") if card.get("uid") == [address + "/@ada"]][0]
check("a profile has a note and a header", card.get("note") == ["On the quay"] and card.get("featured"), card)
with urllib.request.urlopen(address + "/@ada") as response:
    rels = mf2py.parse(doc=response.read(), url=address + "/@ada")["rels"]
check("fields are about the same person", rels.get("me") == ["https://ada.test/"], rels)
sys.exit(1 if failures else 0)
