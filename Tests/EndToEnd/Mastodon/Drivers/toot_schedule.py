"""toot schedules statuses. Usage: python toot_schedule.py http://HOST:PORT"""

import re

from steps import Steps, refused, same, true
from toot_program import Toot, shown

step = Steps()
ada = Toot("ada")
SCHEDULED = r"Toot scheduled for: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d"


@step("post --scheduled-in")
def _():
    said = ada.run("post", "later", "--scheduled-in", "1 hour")
    true(re.search(SCHEDULED, said), said)
    same(shown(ada.run("timeline", "-1")), [])


@step("post --scheduled-at")
def _():
    said = ada.run("post", "much later", "--scheduled-at", "2099-01-01T12:00:00+01:00")
    # toot prints local time.
    true(re.search(SCHEDULED, said) and re.search("2099-01-0[12]", said), said)


@step("a time that is too soon is refused with the reason")
def _():
    refused(lambda: ada.run("post", "now", "--scheduled-in", "3 minutes"), "5 minutes")


step.finish()
