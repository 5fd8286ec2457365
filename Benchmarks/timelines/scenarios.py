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
LARGE_CACHE = {"cacheBytes": 256 << 20}
#: The least there is; together with pages that nobody requests twice, it is off.
NO_CACHE = {"cacheBytes": 1 << 20}
#: Of readers, and of those who post.
CONNECTIONS, CONNECTIONS_POSTING = 64, 32


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
        self._folder, self._program, self._feed, self._plan = folder, program, feed, plan
        #: The folder of the programs of peers and of the preload libraries.
        self.peers = peers
        self._data = feed.copy(folder / "data")
        self._writers = folder / "writers"
        self._writers.write_text("\n".join(feed.writers))

    @property
    def writer_token(self):
        """The token of somebody who posts."""
        return self._feed.writers[0]

    def all(self, only):
        """The comparisons of each group whose name contains `only`. Those that write change the feed and come last."""
        groups = {
            "hot": self._hot_pages, "home": self._hot_home, "cold": self._cold_pages, "writing": self._while_writing,
            "posts": self._posts}
        return [found for name, group in groups.items() if only in name for found in group()]

    # Pages that are cached, beside files.

    def _hot_pages(self):
        nginx = PageServer(self._folder)
        with self.server() as ours:
            page = ours.fetch(PUBLIC)
            etag = page[1]["ETag"]
            nginx.save("public", [page])
            nginx.save("known", [page], headers=ours.fetch(PUBLIC, etag=etag)[1])
            nginx.save("front", [ours.fetch("/")])
            with nginx:
                tags = etag, nginx.fetch("/known/0")[1]["ETag"]
                return [
                    self._against_files("public timeline", 0.9, (ours, PUBLIC), (nginx, "/public/0")),
                    self._against_files("public timeline, 304", 0.9, (ours, PUBLIC), (nginx, "/known/0"), tags),
                    self._against_files("front page", 0.85, (ours, "/"), (nginx, "/front/0"))]

    def _against_files(self, title, goal, ours, nginx, etags=(None, None)):
        sides = [
            self.reader(f"{title}, {server.name}", server, [(path, None)], etag=etag)
            for (server, path), etag in zip((ours, nginx), etags)]
        return self.compare(title, *sides, "nginx", goal)

    def _hot_home(self):
        tokens = self._feed.readers
        nginx = PageServer(self._folder)
        with self.server(LARGE_CACHE) as ours:
            nginx.save("home", [ours.fetch(HOME, token) for token in tokens])
            with nginx:
                mine = self.reader("home, feedserver", ours, [(HOME, token) for token in tokens])
                theirs = self.reader(
                    "home, nginx", nginx, [(f"/home/{number}", token) for number, token in enumerate(tokens)])
                return [self.compare(f"home timeline, {len(tokens):,} users", mine, theirs, "nginx", 0.7)]

    # Pages that no cache holds, beside their SQL alone.

    def _cold_pages(self):
        pages = {
            "cold public page": self._any_pages(PUBLIC, [None], seed=11),
            "cold front page": self._any_pages("/", [None], seed=13),
            "cold home page": self._any_pages(HOME, self._feed.readers, seed=12)}
        say("Recording the statements of the pages")
        recordings = {title: self._folder / title.replace(" ", "-") for title in pages}
        recorder = Recorder(self._folder, self._program, self._data, self.peers, NO_CACHE)
        with recorder.running():
            for title, requests in pages.items():
                recorder.pages(requests, recordings[title])
        with self.server(NO_CACHE) as ours:
            found = {title: self._against_sql(title, ours, requests, recordings[title])
                     for title, requests in pages.items()}
        with self.server() as ours:
            self._add_rendering(found["cold public page"], ours, PUBLIC, 200)
            self._add_rendering(found["cold front page"], ours, "/", 300)
        return list(found.values())

    def _add_rendering(self, comparison, server, path, most):
        """Adds what a page costs beyond its statements, and beyond a request for a page that is in the cache."""
        cached = self.reader(f"{path} from the cache", server, [(path, None)], is_stored=False)
        alternate(cached.label, [cached], self._plan.rounds, self._plan.seconds)
        rendering = comparison.ours.cpu_microseconds - comparison.peer.cpu_microseconds - cached.cpu_microseconds
        comparison.limits.append(("CPU µs beyond statements and request", rendering, most))
        loops = comparison.ours.loop_microseconds - cached.loop_microseconds
        comparison.limits.append(("CPU µs of the event loops beyond the request", loops, most))

    def _against_sql(self, title, ours, requests, recording):
        mine = self.reader(f"{title}, feedserver", ours, requests)
        theirs = ReplayContestant(
            f"{title}, C", peers=self.peers, database=self._data / DATABASE, recording=recording, threads=cores())
        cache = "html" if requests[0][0].startswith("/?") else "pages"
        before = ours.cache_hits(cache)
        found = self.compare(title, mine, theirs, "C", 0.4)
        hits, misses = (after - first for after, first in zip(ours.cache_hits(cache), before))
        if hits * 50 > misses or misses == 0:
            raise BenchmarkError(f"{title}: {hits} of {hits + misses} pages came from the cache")
        return found

    def _any_pages(self, path, tokens, seed):
        """Pages that begin anywhere among all statuses, for these accounts in turn."""
        chance = random.Random(seed)
        first, last = self._feed.span
        return [(f"{path}?max_id={chance.randint(first, last)}", token)
                for token in itertools.islice(itertools.cycle(tokens), self._plan.pages)]

    # Pages while others post.

    def _while_writing(self):
        tokens = self._feed.readers
        with self.server(LARGE_CACHE) as ours:
            return [
                self._beside_writes("public timeline", ours, [(PUBLIC, None)], 0.7, 10.0),
                self._beside_writes(
                    f"home timeline, {len(tokens):,} users", ours, [(HOME, token) for token in tokens], 0.3)]

    def _beside_writes(self, title, server, requests, goal, most=None):
        quiet = self.reader(f"{title}, quiet", server, requests)
        busy = self.reader(f"{title}, {WRITES} posts/s", server, requests)
        busy.writes, busy.writers = WRITES, self._writers
        found = self.compare(f"{title}, {WRITES} posts/s", busy, quiet, "quiet", goal)
        found.limits.append(("p99 in ms", busy.p99, most))
        found.limits.append(("posts/s written", busy.post_rate, None))
        return found

    # Posts, beside their transaction alone.

    def _posts(self):
        recording = self._folder / "post"
        recorder = Recorder(self._folder, self._program, self._data, self.peers)
        with recorder.running():
            recorder.post(self.writer_token, TEXT, recording)
        database = self._feed.copy(self._folder / "peer") / DATABASE
        with self.server() as ours:
            many = self._against_transactions(
                f"posts at {CONNECTIONS_POSTING} connections", ours, database, recording, CONNECTIONS_POSTING, 1.5)
            many.limits.append(("fsyncs per post", many.ours.fsyncs_per_request, 0.1))
            lone = self._against_transactions("a lone post", ours, database, recording, 1, 0.5)
            many.limits.append(("ratio to C with one connection", many.ours.rate / lone.peer.rate, None))
            return [many, lone]

    def _against_transactions(self, title, ours, database, recording, connections, goal):
        requests = [(STATUSES, token) for token in self._feed.writers]
        mine = self.reader(f"{title}, feedserver", ours, requests, connections, body="status=" + TEXT)
        theirs = ReplayContestant(
            f"{title}, C", peers=self.peers, database=database, recording=recording, threads=connections, writes=True)
        return self.compare(title, mine, theirs, "C", goal)

    # What they share.

    def server(self, limits=None):
        """Ours, on the copy of the feed."""
        return TimelineServer(self._folder, self._program, self._data, self.peers, limits)

    def reader(self, label, server, requests, connections=CONNECTIONS, **options):
        """Sends a server these requests in turn; the options are those of `load.wrk`."""
        file = load.write_requests(self._folder / (label.replace(" ", "-").replace("/", "-") + ".requests"), requests)
        return ServerContestant(
            label, server=server,
            request=lambda seconds: load.wrk(server, file, connections, seconds, **options))

    def compare(self, title, ours, peer, peer_name, goal):
        """Measures both in turns."""
        alternate(f"{title} / {peer_name}", [ours, peer], self._plan.rounds, self._plan.seconds)
        return Comparison(title, ours, peer, peer_name, goal)

    def measure(self, title, reader):
        """Measures something alone."""
        alternate(title, [reader], self._plan.rounds, self._plan.seconds)
