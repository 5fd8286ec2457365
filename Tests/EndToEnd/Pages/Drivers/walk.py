"""Two members click around at random, each in a browser window of their own, and sometimes swap the windows. No page of
one is ever shown to the other.
Usage: python walk.py http://HOST:PORT STEPS SEED, a server with the accounts ada, bob and cleo
"""

import random
import re
import sys
from collections import Counter

from playwright.sync_api import Error

from surf import API, MEMBER, Browser, Steps, png, true

ADDRESS, STEPS, SEED = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
# Not pages, or not of this server.
PASSED_OVER = re.compile(r"\.(atom|rss|json|xml)\b|^/(media|files|avatars|headers|badges|assets|emoji)/|^/logout")

# What a page has to offer, without what is not of this server.
SURVEY = f"""() => ({{
  member: ({MEMBER})(),
  html: document.documentElement.outerHTML,
  links: [...document.links].filter(link => link.origin === location.origin).map(link => link.pathname + link.search),
  buttons: [...document.querySelectorAll('form button, form input[type=submit]')].map(
    button => button.getAttribute('formaction') ?? button.form.getAttribute('action') ?? location.pathname)
}})"""

# Fills in the form of a button, with a text that everybody may read, or one that nobody else may; tells whether the
# browser would send it.
FILL = """([number, secret, open, choice]) => {
  const button = document.querySelectorAll('form button, form input[type=submit]')[number];
  const form = button.form;
  let next = choice;
  const pick = count => { next = (next * 1103515245 + 12345) % 2147483648; return (next >> 8) % count; };
  for (const control of form.elements) {
    if (control.tagName === 'SELECT') control.selectedIndex = pick(control.options.length);
    else if (['checkbox', 'radio'].includes(control.type)) control.checked = pick(2) === 1 || control.required;
  }
  const visibility = form.elements.visibility;
  const had = [...form.elements].map(control => control.defaultValue ?? '').join(' ');
  const status = form.elements.status;
  let isSecret = true;
  // Everybody may read a profile.
  if (form.elements.display_name) isSecret = false;
  else if (visibility) isSecret = visibility.value === 'direct';
  else if (status) isSecret = /secret-of/.test(had);
  else if (form.elements.q) isSecret = pick(2) === 1;
  for (const control of form.elements) {
    if (!['text', 'search', 'textarea'].includes(control.type) || pick(4) === 0 && !control.required) continue;
    if (control.name === 'next') continue;
    control.value = (isSecret ? secret : open) + (control.name === 'status' ? '' : ' ' + control.name);
  }
  if (status && !status.value) status.value = isSecret ? secret : open;
  return button.formNoValidate || form.noValidate || form.checkValidity();
}"""
PRESS = """number => {
  const button = document.querySelectorAll('form button, form input[type=submit]')[number];
  button.form.requestSubmit(button);
}"""

step = Steps()
counts = Counter()
chance = random.Random(SEED)
print(f"seed {SEED}")


def kind(path):
    """A path or address without what differs from page to page of a kind."""
    return re.sub(r"\d+", "N", re.sub(r"@\w+", "@NAME", path.removeprefix(ADDRESS).split("?")[0].split("#")[0]))


class Walker:
    def __init__(self, visitor, name, other):
        self.visitor, self.page = visitor, visitor.page
        self.name, self.other = name, other
        self.number = 0
        self.survey = None
        self.look()

    def look(self):
        """Checks the page."""
        self.survey = self.page.evaluate(SURVEY)
        html, path = self.survey["html"], self.visitor.path
        found = re.search(f"secret-of-{self.other}.{{0,40}}", html)
        true(not found, f"{path} shows {self.name}: {found and found[0]}")
        true(self.visitor.status < 500, f"{path} is answered with {self.visitor.status}")
        shown = self.survey["member"]
        true(shown == self.name, f"the navigation of {path} ({self.visitor.status}) names {shown}, not {self.name}")
        counts[kind(path)] += 1
        counts["pages with own secrets"] += f"secret-of-{self.name}" in html

    def walk(self):
        actions = [self.link, self.button, self.back, self.reload]
        chance.choices(actions, weights=[52, 36, 8, 4])[0]()
        self.look()

    def link(self):
        links = sorted({link for link in self.survey["links"] if not PASSED_OVER.search(link)})
        # Every kind of page is as likely as any other, however many links lead to it.
        wanted = chance.choice(sorted({kind(link) for link in links})) if links else None
        self.open(chance.choice([link for link in links if kind(link) == wanted]) if links else "/home")

    def open(self, path):
        self.page.goto(path, wait_until="domcontentloaded")

    def reload(self):
        self.page.reload(wait_until="domcontentloaded")

    def back(self):
        try:
            returned = self.page.go_back(wait_until="domcontentloaded")
        except Error as error:
            # The page of a form that was refused: the browser would ask whether to send it again.
            if "ERR_CACHE_MISS" not in str(error):
                raise
            self.page.wait_for_url("chrome-error://**", wait_until="commit")
            returned = None
        if returned is None:
            self.open("/home")

    def button(self):
        buttons = self.survey["buttons"]
        kinds = sorted({kind(action) for action in buttons if not action.endswith("/logout")})
        if not kinds:
            return self.link()
        wanted = chance.choice(kinds)
        number = chance.choice([place for place, action in enumerate(buttons) if kind(action) == wanted])
        self.number += 1
        words = f"-of-{self.name} {self.number}"
        self.attach(number)
        if not self.page.evaluate(FILL, [number, "secret" + words, "open words" + words, chance.randrange(1 << 30)]):
            return self.link()
        with self.page.expect_navigation(wait_until="domcontentloaded"):
            self.page.evaluate(PRESS, number)
        counts["POST " + wanted] += 1

    def attach(self, number):
        """Attaches a picture now and then."""
        form = self.page.locator("form button, form input[type=submit]").nth(number).locator("xpath=ancestor::form")
        files = form.locator("input[type=file]")
        if files.count() and chance.random() < 0.3:
            files.first.set_input_files({"name": "p.png", "mimeType": "image/png", "buffer": png(self.number % 256)})

    def swap(self):
        """Leaves the window to the other member. What the browser has kept of its pages is not shown any more."""
        self.open("/home")
        self.visitor.log_out()
        for path in ["/", "/@" + self.name]:
            self.open(path)
            true(self.visitor.member() is None and "secret-of" not in self.page.content(), f"{path} is not a visitor's")
        self.name, self.other = self.other, self.name
        self.visitor.log_in(self.name)
        self.look()


def fill_feed():
    """What both may read, and what only one of them may."""
    ada, bob, cleo = (API(ADDRESS).log_in(name) for name in ["ada", "bob", "cleo"])
    for number in range(3):
        cleo.post(f"Hello all #walk {number}", **{"poll[options][0]": "yes", "poll[options][1]": "no",
                                                  "poll[expires_in]": 86400})
        for name in ["ada", "bob"]:
            cleo.post(f"@{name} secret-of-{name} letter {number}", visibility="direct")
    for person, name in [(ada, "ada"), (bob, "bob")]:
        person.post(f"open words of {name} #walk")
        person.post(f"secret-of-{name} diary", visibility="direct")
        person("POST", "/api/v1/lists", title=f"secret-of-{name} list")


def walk():
    fill_feed()
    with Browser(ADDRESS, ["--blink-settings=imagesEnabled=false"]) as browser:
        walkers = [Walker(browser.member(name), name, other) for name, other in [("ada", "bob"), ("bob", "ada")]]
        for number in range(1, STEPS + 1):
            try:
                chance.choice(walkers).walk()
                if number % 40 == 0:
                    for walker in walkers:
                        walker.swap()
            except Exception as error:
                raise AssertionError(f"step {number} of seed {SEED}: {error}") from error


@step(f"a walk of {STEPS} steps shows nobody what is another's")
def _():
    walk()


@step("the walk has seen most kinds of pages, and sent most kinds of forms")
def _():
    pages = [name for name in counts if name.startswith("/")]
    forms = [name for name in counts if name.startswith("POST")]
    print(dict(counts.most_common()))
    # Otherwise there would be nothing to leak.
    true(counts["pages with own secrets"] > STEPS // 20, "the pages show no secrets")
    true(len(pages) >= 8 and len(forms) >= 4, f"only {len(pages)} kinds of pages and {len(forms)} of forms")


step.finish()
