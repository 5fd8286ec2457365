"""The web reader in Chromium counts new statuses live, with one stream for all tabs.
Usage: python3 reader_tabs.py http://HOST:PORT
"""

import json
import sys
from contextlib import contextmanager

from api import API
from chromium import LIMIT, Chromium
from steps import Steps, same, true

ADDRESS = sys.argv[1]
# The text of the notice as soon as it is the wanted one; `null` stands for no notice. The time only ends a step that
# would otherwise hang.
NOTICE = """new Promise(resolve => {
  const place = document.querySelector(".updates");
  const text = () => place.querySelector("button")?.textContent ?? null;
  const check = () => { if (text() === %s) resolve(text()); };
  new MutationObserver(check).observe(place, {childList: true, characterData: true, subtree: true});
  setTimeout(() => resolve(text()), 240_000);
  check();
})"""

step = Steps()
bob = API(ADDRESS).log_in("bob")


def expect(text, *tabs):
    for number, tab in enumerate(tabs):
        same(tab.evaluate(NOTICE % json.dumps(text)), text, f"notice of tab {number}")


@contextmanager
def two_tabs():
    # A page without statuses has no notice.
    bob.post("already there")
    with Chromium() as chromium:
        first = chromium.open(ADDRESS + "/")
        # Otherwise, the second tab might have the stream, and the first status might be found by the check that follows,
        # and not be an event.
        true(first.has_stream.wait(LIMIT), "the stream is open")
        yield [first, chromium.open(ADDRESS + "/")]


def streams(*tabs):
    """How many streams each tab has opened."""
    return [len(tab.streams) for tab in tabs]


@step("new statuses are counted in all tabs, with one stream")
def _():
    with two_tabs() as tabs:
        expect(None, *tabs)
        for number in range(1, 4):
            status = bob.post(f"new {number}")
            expect(f"{number} new", *tabs)
        bob("DELETE", f"/api/v1/statuses/{status}")
        expect("2 new", *tabs)
        same(streams(*tabs), [1, 0])
        # Each event was sent once, to the tab with the stream.
        same([len(tab.events) for tab in tabs], [4, 0], "events")


@step("the other tab takes over the stream of a tab that is closed")
def _():
    with two_tabs() as (first, second):
        bob.post("new 1")
        expect("1 new", first, second)
        first.close()
        for number in range(2, 4):
            bob.post(f"new {number}")
            expect(f"{number} new", second)
        same(streams(first, second), [1, 1])


@step("a hidden tab does not hold the stream, and catches up")
def _():
    with two_tabs() as (first, second):
        bob.post("new 1")
        expect("1 new", first, second)
        first.minimize()
        for number in range(2, 4):
            bob.post(f"new {number}")
            expect(f"{number} new", second)
        expect("1 new", first)
        same(streams(first, second), [1, 1])
        first.restore()
        expect("3 new", first)
        bob.post("new 4")
        expect("4 new", first, second)
        same(streams(first, second), [1, 1])


@step("the notice loads the new statuses")
def _():
    with two_tabs() as (first, second):
        status = bob.post("new 1")
        expect("1 new", first, second)
        first.click(".updates button")
        same(first.evaluate("document.querySelector('.status').dataset.id"), status)
        expect(None, first)
        bob.post("new 2")
        expect("1 new", first)
        expect("2 new", second)


step.finish()
