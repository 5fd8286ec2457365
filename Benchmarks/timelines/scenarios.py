"""The scenarios: what is requested of whom, and which ratio is enough."""

import dataclasses
import itertools
import random

from support.machine import BenchmarkError, cores, say
from timelines import load
from timelines.folder import DATABASE
from timelines.measuring import Contestant, ReplayContestant, ServerContestant, alternate
from timelines.recording import Recorder
from timelines.servers import PageServer, TimelineServer

PUBLIC, HOME, STATUSES = "/api/v1/timelines/public", "/api/v1/timelines/home", "/api/v1/statuses"
TEXT = "Something that somebody wanted to say".replace(" ", "+")
#: Posts per second beside the readers.
WRITES = 200
#: A cache that holds the home pages of all readers.
LARGE_CACHE = {"pageCacheBytes": 256 << 20}
#: The least there is; together with pages that nobody requests twice, it is off.
NO_CACHE = {"pageCacheBytes": 1 << 20}
_MEDIUM, _MANY = 32, 64


@dataclasses.dataclass
class Comparison:
    """Ours and a peer, which may be ours under other conditions."""

    title: str
    ours: Contestant
    peer: Contestant
    peer_name: str
    #: The least ratio of the rates that is enough; None for none.
    goal: float | None
    #: Further limits, such as the fsyncs of a post: what, value, the most that is allowed.
    limits: list = dataclasses.field(default_factory=list)

    @property
    def ratio(self):
        return self.ours.rate / self.peer.rate

    @property
    def is_reached(self):
        return self.goal is None or self.ratio >= self.goal


class Bench:
    """Runs the scenarios, each on servers of its own."""

    def __init__(self, folder, program, feed, peers, plan):
        self._folder, self._program, self._feed, self._peers, self._plan = folder, program, feed, peers, plan
        self._data = feed.copy(folder / "data")
        self._writers = folder / "writers"
        self._writers.write_text("\n".join(feed.writers))

    def all(self):
        """Every comparison; those that write come last, because they change the feed."""
        return [
            *self._hot_pages(), self._hot_home(), *self._cold_pages(), *self._while_writing(), *self._posts()]

    # Pages that are cached, beside files.

    def _hot_pages(self):
        nginx = PageServer(self._folder)
        with self._server() as ours:
            nginx.save("public", [ours.fetch(PUBLIC)])
            nginx.save("front", [ours.fetch("/")])
            with nginx:
                tags = ours.fetch(PUBLIC)[1]["ETag"], nginx.fetch("/public/0")[1]["ETag"]
                return [
                    self._against_files("public timeline", 0.9, (ours, PUBLIC), (nginx, "/public/0")),
                    self._against_files("public timeline, 304", 0.9, (ours, PUBLIC), (nginx, "/public/0"), tags),
                    self._against_files("front page", 0.85, (ours, "/"), (nginx, "/front/0"))]

    def _against_files(self, title, goal, ours, nginx, etags=(None, None)):
        sides = [
            self._reader(f"{title}, {server.name}", server, [(path, None)], etag=etag)
            for (server, path), etag in zip((ours, nginx), etags)]
        return self._compare(title, *sides, "nginx", goal)

    def _hot_home(self):
        tokens = self._feed.readers
        nginx = PageServer(self._folder)
        with self._server(LARGE_CACHE) as ours:
            nginx.save("home", [ours.fetch(HOME, token) for token in tokens])
            with nginx:
                mine = self._reader("home, feedserver", ours, [(HOME, token) for token in tokens])
                theirs = self._reader(
                    "home, nginx", nginx, [(f"/home/{number}", token) for number, token in enumerate(tokens)])
                return self._compare(f"home timeline, {len(tokens):,} users", mine, theirs, "nginx", 0.7)

    # Pages that no cache holds, beside their SQL alone.

    def _cold_pages(self):
        pages = {
            "cold public page": [(f"{PUBLIC}?max_id={last}", None) for last in self._ids(11)],
            "cold home page": [
                (f"{HOME}?max_id={last}", token) for last, token in zip(self._ids(12), itertools.cycle(self._feed.readers))]}
        say("Recording the statements of the pages")
        recordings = {title: self._folder / title.replace(" ", "-") for title in pages}
        recorder = Recorder(self._folder, self._program, self._data, self._peers, NO_CACHE)
        with recorder.running():
            for title, requests in pages.items():
                recorder.pages(requests, recordings[title])
        with self._server(NO_CACHE) as ours:
            return [self._against_sql(title, ours, requests, recordings[title]) for title, requests in pages.items()]

    def _against_sql(self, title, ours, requests, recording):
        mine = self._reader(f"{title}, feedserver", ours, requests)
        theirs = ReplayContestant(
            f"{title}, C", peers=self._peers, database=self._data / DATABASE, recording=recording, threads=cores())
        before = ours.cache_hits("pages")
        found = self._compare(title, mine, theirs, "C", 0.4)
        hits, misses = (after - first for after, first in zip(ours.cache_hits("pages"), before))
        if hits * 50 > misses:
            raise BenchmarkError(f"{title}: {hits} of {hits + misses} pages came from the cache")
        return found

    def _ids(self, seed):
        """Where the cold pages end: anywhere among all statuses. Both sides request the same ones."""
        chance = random.Random(seed)
        first, last = self._feed.span
        return [chance.randint(first, last) for _ in range(self._plan.pages)]

    # Pages while others post.

    def _while_writing(self):
        tokens = self._feed.readers
        with self._server(LARGE_CACHE) as ours:
            return [
                self._beside_writes("public timeline", ours, [(PUBLIC, None)], 0.7, 10.0),
                self._beside_writes(
                    f"home timeline, {len(tokens):,} users", ours, [(HOME, token) for token in tokens], 0.3)]

    def _beside_writes(self, title, server, requests, goal, most=None):
        quiet = self._reader(f"{title}, without posts", server, requests)
        busy = self._reader(f"{title}, {WRITES} posts/s", server, requests)
        busy.writes, busy.writers = WRITES, self._writers
        found = self._compare(f"{title}, {WRITES} posts/s", busy, quiet, "without posts", goal)
        found.limits.append(("p99 in ms", busy.p99, most))
        found.limits.append(("posts/s written", busy.post_rate, None))
        return found

    # Posts, beside their transaction alone.

    def _posts(self):
        recording = self._folder / "post"
        recorder = Recorder(self._folder, self._program, self._data, self._peers)
        with recorder.running():
            recorder.post(self._feed.writers[0], TEXT, recording)
        database = self._feed.copy(self._folder / "peer") / DATABASE
        with self._server() as ours:
            many = self._against_transactions(
                f"posts at {_MEDIUM} connections", ours, database, recording, _MEDIUM, 1.5)
            many.limits.append(("fsyncs per post", many.ours.fsyncs_per_request, 0.1))
            return [many, self._against_transactions("a lone post", ours, database, recording, 1, 0.5)]

    def _against_transactions(self, title, ours, database, recording, connections, goal):
        requests = [(STATUSES, token) for token in self._feed.writers]
        mine = self._reader(f"{title}, feedserver", ours, requests, connections, body="status=" + TEXT)
        theirs = ReplayContestant(
            f"{title}, C", peers=self._peers, database=database, recording=recording, threads=connections, writes=True)
        return self._compare(title, mine, theirs, "C", goal)

    # What they share.

    def _server(self, limits=None):
        return TimelineServer(self._folder, self._program, self._data, self._peers, limits)

    def _reader(self, label, server, requests, connections=_MANY, **options):
        file = load.write_requests(self._folder / (label.replace(" ", "-").replace("/", "-") + ".requests"), requests)
        return ServerContestant(
            label, server=server,
            request=lambda seconds: load.wrk(server, file, connections, seconds, **options))

    def _compare(self, title, ours, peer, peer_name, goal):
        alternate(f"{title} / {peer_name}", [ours, peer], self._plan.rounds, self._plan.seconds)
        return Comparison(title, ours, peer, peer_name, goal)
