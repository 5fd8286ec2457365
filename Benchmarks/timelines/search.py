"""Searches: how long they take, how large the index is, and what it costs those who post."""

import contextlib
import dataclasses
import itertools
import json
import random
import sqlite3
import statistics
import urllib.parse

from support.machine import BenchmarkError, say
from timelines.folder import DATABASE, prepare
from timelines.measuring import ServerContestant
from timelines.postgres import PostgresFeed
from timelines.scenarios import CONNECTIONS_POSTING, STATUSES, Comparison
from timelines.servers import TimelineServer
from timelines.texts import SECRET, TAGS, WORDS, text

_STATUSES, _TAGS = "/api/v2/search?type=statuses&q=", "/api/v2/search?type=hashtags&q="
_ACCOUNTS = "/api/v1/accounts/search?q="
#: Different requests of each kind.
_COUNT = 200
#: How many of them are sent beforehand, to see what they find.
_SAMPLES = 25
#: What the index may cost posts: the least ratio of the rates.
_POSTS_GOAL = 0.9


@dataclasses.dataclass
class Kind:
    """Searches of one kind."""

    title: str
    #: Pairs of a path and a token.
    requests: list
    #: The list of the response that contains what is found; None if the response is that list.
    key: str | None
    #: The largest p99 in milliseconds that is enough; None for none.
    goal: float | None
    #: The average number of results.
    found: float = 0.0
    sqlite: ServerContestant | None = None
    postgres: ServerContestant | None = None


@dataclasses.dataclass
class Sizes:
    """In bytes."""

    #: What FTS5 or GIN keeps, and the tokens that it was given.
    index: int
    tokens: int
    #: The table with the texts, without its indexes.
    texts: int
    #: The whole file or database.
    all: int


@dataclasses.dataclass
class SearchResult:
    kinds: list
    sizes: Sizes
    #: None if it was not measured.
    postgres_sizes: Sizes | None
    #: Statuses that were indexed per second.
    indexed: float
    #: The part of all statuses that contains a frequent word.
    share: float
    #: Statuses that contain the word of direct statuses.
    secrets: int
    posts: ServerContestant
    #: Against a server without the index; None if there is none.
    comparison: Comparison | None


def measure_search(bench, feed, population, options, folder):
    """Measures everything; with `--postgres`, on PostgreSQL, too."""
    with bench.server() as server:
        kinds = _kinds(feed.readers, _strangers(feed.readers, server))
        _ask(kinds, server)
        _measure(kinds, server, bench, "sqlite")
    postgres_sizes = None
    if options.postgres:
        with PostgresFeed(folder, options.server, feed, bench.peers) as postgres:
            _measure(kinds, postgres.server, bench, "postgres")
            postgres_sizes = Sizes(*postgres.sizes())
    posts, comparison = _posts(bench, feed, population, options, folder)
    path = feed.path / DATABASE
    frequent = [_matches(path, word) for word in _names()[:5]]
    return SearchResult(
        kinds, _sizes(path), postgres_sizes, population.statuses / feed.indexing_seconds,
        statistics.mean(frequent) / population.statuses, _matches(path, SECRET), posts, comparison)


def _names():
    """Words that are their own tokens. All are equally frequent."""
    return [word for word in WORDS if word.isascii() and len(word) > 3]


def _strangers(tokens, server):
    """Those who find no direct status, because they have written none."""
    found = [token for token in tokens if not _results(server, "statuses", *_requests(_STATUSES, [SECRET], [token])[0])]
    if not found:
        raise BenchmarkError("everybody has written a direct status")
    return found


def _kinds(tokens, strangers):
    chance, names = random.Random(21), _names()
    phrases = [f'"{chance.choice(names)} {chance.choice(names)}"' for _ in range(_COUNT)]
    numbers = [str(chance.randrange(1000, 10_000)) for _ in range(_COUNT)]
    prefixes = sorted({name[:3] + "*" for name in names})
    secrets = [SECRET, f"{SECRET} {names[0]}", SECRET[:5] + "*"]

    def statuses(title, texts, goal=None, tokens=tokens):
        return Kind(title, _requests(_STATUSES, texts, tokens), "statuses", goal)

    return [
        statuses("a word in 5 % of the statuses", names, 50),
        statuses("a rare word", numbers, 5),
        statuses("a phrase of two words", phrases),
        statuses("a prefix of three letters", prefixes),
        statuses("only statuses that are private to others", secrets, 10, strangers),
        Kind("accounts", _requests(_ACCOUNTS, [name[:3] for name in names] + ["user", "us"], tokens), None, 2),
        Kind("hashtags", _requests(_TAGS, [tag[:length] for tag in TAGS for length in (1, 2, 4)], tokens), "hashtags",
             None)]


def _requests(path, texts, tokens):
    """Requests for these texts in turn by these accounts in turn."""
    return [(path + urllib.parse.quote(one, safe=""), token)
            for one, token in itertools.islice(zip(itertools.cycle(texts), itertools.cycle(tokens)), _COUNT)]


def _ask(kinds, server):
    """Counts what some requests of each kind find, because searches that find nothing would be measured in vain."""
    for kind in kinds:
        found = [len(_results(server, kind.key, *request)) for request in kind.requests[:_SAMPLES]]
        kind.found = statistics.mean(found)
        if (kind.found == 0) != ("private" in kind.title):
            raise BenchmarkError(f"{kind.title}: {kind.found} results")


def _results(server, key, path, token):
    status, headers, body = server.fetch(path, token)
    if status != 200 or headers["Search-Incomplete"]:
        raise BenchmarkError(f"{path}: {status} {body[:200]!r}")
    found = json.loads(body)
    return found[key] if key else found


def _measure(kinds, server, bench, engine):
    for kind in kinds:
        reader = bench.reader(f"{kind.title} {engine}", server, kind.requests, connections=1)
        bench.measure(f"{kind.title}, {engine}", reader)
        setattr(kind, engine, reader)


def _posts(bench, feed, population, options, folder):
    """Posts with as many words as most statuses have, and the same by a server without the index, if there is one."""
    body = "status=" + urllib.parse.quote_plus(text(random.Random(31), 23))

    def poster(label, server, tokens):
        return bench.reader(label, server, [(STATUSES, token) for token in tokens], CONNECTIONS_POSTING, body=body)

    with contextlib.ExitStack() as stack:
        ours = poster("posts, indexed", stack.enter_context(bench.server()), feed.writers)
        if not options.before:
            bench.measure("posts, indexed", ours)
            return ours, None
        other = prepare(str(options.before), population, options.cache)
        (folder / "before").mkdir()
        server = TimelineServer(
            folder / "before", options.before, other.copy(folder / "before" / "data"), bench.peers)
        peer = poster("posts, before", stack.enter_context(server), other.writers)
        return ours, bench.compare("posts", ours, peer, "before", _POSTS_GOAL)


def _connect(path):
    return contextlib.closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True))


def _matches(path, word):
    """The number of statuses with a word, whoever may find them."""
    with _connect(path) as database:
        return sum(
            database.execute(f"SELECT count(*) FROM {table} WHERE {table} MATCH ?", (f'words : "{word}"',)).fetchone()[0]
            for table in ("status_fts", "restricted_fts"))


def _sizes(path):
    say("Measuring the tables")
    with _connect(path) as database:
        sizes = dict(database.execute("SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE").fetchall())

    def total(*prefixes):
        return sum(size for name, size in sizes.items() if name.startswith(prefixes))

    return Sizes(total("status_fts", "restricted_fts"), total("status_search"), sizes["status"], sum(sizes.values()))
