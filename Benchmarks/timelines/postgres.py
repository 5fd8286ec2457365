"""A feed on a PostgreSQL server of its own."""

import subprocess
import tempfile

from database import Cluster
from support.machine import BenchmarkError, say
from timelines.servers import TimelineServer


class PostgresFeed:
    """Copies a feed and serves the copy while the `with` block runs."""

    def __init__(self, folder, program, feed, peers):
        self._folder, self._program, self._feed, self._peers = folder, str(program), feed, peers
        self._cluster = self.server = None

    def __enter__(self):
        # Its socket needs a short path, and its user access to the folder.
        self._cluster = Cluster(tempfile.mkdtemp(prefix="feed-pg-", dir="/tmp"))
        try:
            self._serve(self._cluster.create("feed"))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.server:
            self.server.__exit__()
        self._cluster.stop()
        subprocess.run(["rm", "-rf", self._cluster.folder], check=True)

    def _serve(self, database):
        (self._folder / "postgres").mkdir()
        data = self._feed.copy(self._folder / "postgres" / "data")
        say("Copying the feed to PostgreSQL")
        result = subprocess.run(
            [self._program, "copy", "--from", data, "--to", database], capture_output=True, text=True)
        if result.returncode != 0:
            raise BenchmarkError("feedserver copy: " + result.stderr.strip()[-500:])
        self.server = TimelineServer(
            self._folder / "postgres", self._program, data, self._peers, database=database).__enter__()
        say("Waiting for its search index")
        say(f"Built in {self.server.wait_until_indexed():.0f} s")
        # As autovacuum does within minutes.
        self._cluster.query("feed", "VACUUM (ANALYZE)")

    def sizes(self):
        """Bytes of the search index, its tokens, the table with the texts, and the whole database."""
        found = self._cluster.query("feed", """
            SELECT pg_relation_size('status_search_open') + pg_relation_size('status_search_restricted'),
            pg_table_size('status_search'), pg_table_size('status'), pg_database_size('feed')""")
        return [int(value) for value in found.split("|")]
