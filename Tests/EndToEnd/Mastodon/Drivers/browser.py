"""A minimal browser for login pages: cookies, redirects and HTML forms. It knows nothing about the page."""

import re
import urllib.error
import urllib.parse
import urllib.request
from html.parser import HTMLParser
from http.cookiejar import CookieJar

YES = re.compile(r"authori[sz]e|allow|approve|accept|log.?in|sign.?in|continue|yes", re.I)
NO = re.compile(r"den(y|ied)|cancel|reject|refuse|log.?out|sign.?out|\bno\b", re.I)


class Form:
    def __init__(self, attributes):
        self.method = (attributes.get("method") or "get").upper()
        self.action = attributes.get("action") or ""
        self.fields = []
        self.buttons = []

    def has_password(self):
        return any(kind == "password" for _, kind, _ in self.fields)

    def button(self, wants):
        """The button that allows (or denies)."""
        wanted, other = (YES, NO) if wants else (NO, YES)
        for label, name, value in self.buttons:
            if wanted.search(f"{label} {name} {value}") and not other.search(f"{label} {name} {value}"):
                return name, value
        return None


class Page(HTMLParser):
    """Collects the forms of a page, and text that looks like a code to copy."""

    def __init__(self, text):
        super().__init__()
        self.forms, self.codes, self.open = [], [], []
        self.button = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form":
            self.forms.append(Form(attributes))
        elif tag in ("input", "textarea", "select"):
            self.field(tag, attributes)
        elif tag == "button" and self.forms and attributes.get("type", "submit") == "submit":
            self.button = ["", attributes.get("name"), attributes.get("value") or ""]
        if tag in ("code", "kbd", "samp", "output"):
            self.open.append("")

    def field(self, tag, attributes):
        kind = attributes.get("type", "text") if tag == "input" else tag
        name, value = attributes.get("name"), attributes.get("value") or ""
        if "readonly" in attributes and value:
            self.codes.append(value)
        if not self.forms:
            return
        if kind in ("submit", "image"):
            self.forms[-1].buttons.append((value, name, value))
        elif name and (kind not in ("checkbox", "radio") or "checked" in attributes):
            self.forms[-1].fields.append((name, kind, value))

    def handle_data(self, data):
        if self.button:
            self.button[0] += data
        if self.open:
            self.open[-1] += data

    def handle_endtag(self, tag):
        if tag == "button" and self.button:
            self.forms[-1].buttons.append(tuple(self.button))
            self.button = None
        if tag in ("code", "kbd", "samp", "output") and self.open:
            self.codes.append(self.open.pop().strip())


class Elsewhere(Exception):
    """A redirect that leaves the server."""


class Redirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, request, body, code, message, headers, address):
        if urllib.parse.urlsplit(address)[:2] != urllib.parse.urlsplit(request.full_url)[:2]:
            raise Elsewhere(address)
        return super().redirect_request(request, body, code, message, headers, address)


class Browser:
    def __init__(self):
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()), Redirects())
        self.address, self.text, self.status, self.policy = "", "", 0, ""

    def open(self, address, data=None):
        request = urllib.request.Request(address, data)
        if data is not None:
            request.add_header("Origin", self.origin())
        try:
            response = self.opener.open(request, timeout=300)
        except urllib.error.HTTPError as error:
            response = error
        self.address, self.status = response.geturl(), response.status
        self.policy = response.headers.get("Referrer-Policy", "")
        self.text = response.read().decode()
        return Page(self.text)

    def origin(self):
        """A page that sends no referrer sends no origin with its forms either (Fetch, "append a request Origin")."""
        parts = urllib.parse.urlsplit(self.address)
        return "null" if self.policy == "no-referrer" else f"{parts.scheme}://{parts.netloc}"

    def submit(self, form, values, button):
        fields = [(name, values.get(kind, value)) for name, kind, value in form.fields]
        if button and button[0]:
            fields.append(button)
        address = urllib.parse.urljoin(self.address, form.action)
        data = urllib.parse.urlencode(fields)
        if form.method == "GET":
            return self.open(address.split("?")[0] + "?" + data)
        return self.open(address, data.encode())

    def authorize(self, address, username, password, consents=True):
        """Logs in and authorizes the application.

        Returns the values of the address it is sent to in the end, with `code`; out of band, the code from the page.
        """
        try:
            page = self.open(address)
            for _ in range(5):
                values = self.values()
                if "code" in values or "error" in values:
                    return values
                if not page.forms:
                    return self.shown(page)
                page = self.answer(page, username, password, consents)
        except Elsewhere as elsewhere:
            return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(str(elsewhere)).query))
        raise AssertionError(f"no end of forms; {self.status} {self.address}: {self.text[-600:]}")

    def answer(self, page, username, password, consents):
        form = next((form for form in page.forms if form.has_password()), None)
        if form:
            typed = {"text": username, "email": username, "password": password}
            return self.submit(form, typed, form.button(consents) or form.button(True))
        found = ((form, form.button(consents)) for form in page.forms)
        form, button = next((pair for pair in found if pair[1]), (page.forms[0], None))
        return self.submit(form, {}, button)

    def values(self):
        """The parameters of the redirect URL, if any."""
        query = urllib.parse.urlsplit(self.address).query
        return dict(urllib.parse.parse_qsl(query)) if "code=" in query else {}

    def shown(self, page):
        if not page.codes:
            raise AssertionError(f"no code on the page; {self.status} {self.address}: {self.text[-600:]}")
        return {"code": page.codes[0]}
