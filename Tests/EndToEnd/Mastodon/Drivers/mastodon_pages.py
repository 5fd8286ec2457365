"""Mastodon.py pages through 100 entries in both directions, following the Link headers.

Usage: python mastodon_pages.py http://HOST:PORT
"""

import random

from people import ids, people
from steps import Steps, same, true

COUNT, LIMIT = 100, 7

step = Steps()
ada, bob = people("ada", "bob")
ADA = str(ada.account_verify_credentials().id)
bob.account_follow(ADA)
posted = [ada.status_post(f"number {number} #hundred") for number in range(COUNT)]
# Favourites and bookmarks are sorted by their own time, not by the status.
favorites = random.Random(6).sample(posted, COUNT)
kept = random.Random(7).sample(posted, COUNT)


def pages(first, turn):
    """All entries of all pages, in the order of the pages."""
    found, page = [], first
    while page:
        true(len(page) <= LIMIT, f"a page of {len(page)}")
        found.append(page)
        true(len(found) <= 2 * COUNT, "the pages do not end")
        page = turn(page)
    return found


def forwards(person, fetch, wanted):
    """From the newest to the oldest, by `next`."""
    found = pages(fetch(limit=LIMIT), person.fetch_next)
    same([key(entry) for page in found for entry in page], wanted, "entries")
    same([len(page) for page in found], [LIMIT] * (COUNT // LIMIT) + [COUNT % LIMIT], "page sizes")


def backwards(person, fetch, wanted):
    """From the oldest to the newest, by `prev`; each page is newest first."""
    found = pages(fetch(limit=LIMIT, min_id=0), person.fetch_previous)
    same([key(entry) for page in reversed(found) for entry in page], wanted, "entries")


def key(entry):
    return str(entry["status"]["id"] if "status" in entry else entry["id"])


def both_ways(name, person, fetch, wanted):
    step(f"{name}, newest to oldest")(lambda: forwards(person, fetch, wanted))
    step(f"{name}, oldest to newest")(lambda: backwards(person, fetch, wanted))


newest_first = ids(reversed(posted))
both_ways("home", bob, bob.timeline_home, newest_first)
both_ways("public", bob, bob.timeline_public, newest_first)
both_ways("local", bob, bob.timeline_local, newest_first)
both_ways("account", bob, lambda **page: bob.account_statuses(ADA, **page), newest_first)
both_ways("hashtag", bob, lambda **page: bob.timeline_hashtag("hundred", **page), newest_first)


@step("all are favourited")
def _():
    for status in favorites:
        bob.status_favourite(status)


@step("all are bookmarked")
def _():
    for status in kept:
        bob.status_bookmark(status)


both_ways("favourites", bob, bob.favourites, ids(reversed(favorites)))
both_ways("bookmarks", bob, bob.bookmarks, ids(reversed(kept)))


def notified(**page):
    return ada.notifications(types=["favourite"], **page)


both_ways("notifications", ada, notified, ids(reversed(favorites)))


@step("since_id gives the newest of what is newer")
def _():
    since = posted[49].id
    same(ids(bob.timeline_home(since_id=since, limit=LIMIT)), newest_first[:LIMIT], "first page")
    same(ids(bob.timeline_home(since_id=since, limit=40)), newest_first[:40], "a larger page")
    same(ids(bob.timeline_home(since_id=posted[95].id)), newest_first[:4], "a page that is not full")


@step("min_id and max_id together give what lies between")
def _():
    found = bob.timeline_home(min_id=posted[10].id, max_id=posted[15].id, limit=40)
    same(ids(found), ids(reversed(posted[11:15])))


@step("the remaining pages in one go")
def _():
    same(ids(bob.fetch_remaining(bob.timeline_home(limit=40))), newest_first)


@step("a page stays a page when a status in it is deleted")
def _():
    first = bob.timeline_home(limit=LIMIT)
    ada.status_delete(first[-1])
    same(ids(bob.fetch_next(first)), newest_first[LIMIT : 2 * LIMIT])


@step("deleted statuses leave all lists")
def _():
    for status in posted[:50]:
        if str(status.id) not in ids([posted[-LIMIT]]):
            ada.status_delete(status)
    gone = set(ids(posted[:50]))
    for fetch in (bob.timeline_home, bob.favourites, bob.bookmarks, bob.timeline_public):
        left = ids(bob.fetch_remaining(fetch(limit=40)))
        true(not gone & set(left) and len(left) == 49, f"{fetch.__name__}: {len(left)} are left")


step.finish()
