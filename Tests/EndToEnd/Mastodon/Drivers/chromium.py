"""A headless Chromium, driven over the DevTools protocol.

    with Chromium() as chromium:
        page = chromium.open("https://feed.example/")
        page.evaluate("document.title")
"""

import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading

# A limit that only ends a step that would otherwise hang.
LIMIT = 300

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--remote-debugging-pipe",
]


class Chromium:
    """Commands go to the browser's descriptor 3, and its messages arrive on descriptor 4; each message ends with NUL.
    The browser exits when the pipes are closed, so it never outlives the program."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="feed-chromium-")
        theirs, self.commands = os.pipe()
        self.messages, replies = os.pipe()
        self.process = subprocess.Popen(
            ["chromium", *FLAGS, f"--user-data-dir={self.folder}/profile", "about:blank"], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "TMPDIR": self.folder},
            pass_fds=(3, 4), preexec_fn=lambda: connect(theirs, replies))
        os.close(theirs)
        os.close(replies)
        self.number, self.lock = 0, threading.Lock()
        self.waiting, self.pages = {}, {}
        threading.Thread(target=self.read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
            self.process.wait(LIMIT)
        finally:
            self.process.kill()
            shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, session=None, **parameters):
        """Sends a command, and returns its result."""
        answer = queue.Queue()
        with self.lock:
            self.number += 1
            self.waiting[self.number] = answer
            message = {"id": self.number, "method": method, "params": parameters}
            if session:
                message["sessionId"] = session
            send(self.commands, json.dumps(message).encode() + b"\0")
        try:
            message = answer.get(timeout=LIMIT)
        except queue.Empty:
            raise AssertionError(f"no answer to {method}") from None
        if "error" in message:
            raise AssertionError(f"{method}: {message['error']['message']}")
        return message["result"]

    def read(self):
        rest = b""
        while part := os.read(self.messages, 1 << 16):
            *messages, rest = (rest + part).split(b"\0")
            for message in map(json.loads, messages):
                self.receive(message)
        for answer in list(self.waiting.values()):
            answer.put({"error": {"message": "the browser has exited"}})

    def receive(self, message):
        if "id" in message:
            self.waiting.pop(message["id"]).put(message)
        elif page := self.pages.get(message.get("sessionId")):
            page.receive(message["method"], message["params"])

    def open(self, address):
        """Opens a page in a window of its own: only the front tab of a window is visible."""
        target = self.call("Target.createTarget", url="about:blank", newWindow=True)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self.pages[session] = Page(self, target, session)
        page.load(address)
        return page


class Page:
    """A page of the browser, in a visible window. Its scripts may call `report(text)`."""

    def __init__(self, chromium, target, session):
        self.chromium, self.target, self.session = chromium, target, session
        self.reports = queue.Queue()
        self.loaded = threading.Event()
        # The streams that the page has opened, and the ids of their events, as the network has carried them.
        self.streams, self.events = [], []
        self.has_stream = threading.Event()

    def call(self, method, **parameters):
        return self.chromium.call(method, self.session, **parameters)

    def load(self, address):
        for domain in ("Page", "Runtime", "Network"):
            self.call(domain + ".enable")
        self.call("Runtime.addBinding", name="report")
        self.await_load(lambda: self.call("Page.navigate", url=address))

    def await_load(self, action):
        self.loaded.clear()
        action()
        if not self.loaded.wait(LIMIT):
            raise AssertionError("no page was loaded")

    def click(self, selector):
        """Clicks what loads another page."""
        self.await_load(lambda: self.evaluate(f"document.querySelector({json.dumps(selector)}).click()"))

    def minimize(self):
        """Hides the page."""
        self.set_window("minimized", "hidden")

    def restore(self):
        self.set_window("normal", "visible")

    def set_window(self, state, visibility):
        window = self.chromium.call("Browser.getWindowForTarget", targetId=self.target)["windowId"]
        self.chromium.call("Browser.setWindowBounds", windowId=window, bounds={"windowState": state})
        self.evaluate(f"""new Promise(resolve => {{
          const check = () => {{ if (document.visibilityState === "{visibility}") resolve(); }};
          document.addEventListener("visibilitychange", check);
          check();
        }})""")

    def receive(self, method, values):
        if method == "Page.loadEventFired":
            self.loaded.set()
        elif method == "Runtime.bindingCalled":
            self.reports.put(values["payload"])
        elif method == "Network.requestWillBeSent" and values.get("type") == "EventSource":
            self.streams.append(values["request"]["url"])
        elif method == "Network.responseReceived" and values.get("type") == "EventSource":
            self.has_stream.set()
        elif method == "Network.eventSourceMessageReceived":
            self.events.append(values["eventId"])

    def report(self):
        """The next text that the page has reported."""
        try:
            return self.reports.get(timeout=LIMIT)
        except queue.Empty:
            raise AssertionError("the page has nothing more to report") from None

    def evaluate(self, script):
        """The value of a script, after its promise is fulfilled."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise AssertionError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def close(self):
        self.chromium.call("Target.closeTarget", targetId=self.target)


def connect(commands, replies):
    """Runs in the browser's process before the browser. Duplicates first, because one of them may be 3 or 4."""
    commands, replies = os.dup(commands), os.dup(replies)
    os.dup2(commands, 3)
    os.dup2(replies, 4)


def send(descriptor, data):
    while data:
        data = data[os.write(descriptor, data):]
