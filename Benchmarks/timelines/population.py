"""A large feed that is the same every time: who follows whom, who writes how much, and every status, as NDJSON."""

import dataclasses
import datetime
import heapq
import itertools
import json
import random

from timelines.texts import CITIES, SECRET, text

#: Change it whenever the feed changes, so that kept data folders are made again.
VERSION = 2

#: The first status, in milliseconds since 1970 (2024-01-01), and the time from the first to the last.
_FIRST = 1_704_067_200_000
_SPAN = 700 * 86_400_000
_MEDIAN_FOLLOWS = 150
_MAXIMUM_FOLLOWS = 5000
_VISIBILITIES = (["public", "unlisted", "private", "direct"], (86, 92, 98, 100))


@dataclasses.dataclass(frozen=True)
class Population:
    """How large the feed is, and how many accounts read and write in the benchmark."""

    accounts: int = 10_000
    statuses: int = 1_000_000
    readers: int = 1000
    #: The number of posts after which the sequence of writers begins again.
    writes: int = 1000

    @property
    def key(self):
        """Equal for equal feeds."""
        return f"{VERSION}-{self.accounts}-{self.statuses}-{self.readers}-{self.writes}"

    def name(self, number):
        return f"user{number:05d}"

    def popularity(self):
        """The relative number of followers of each account: a few have many, most have few."""
        ranks = list(range(self.accounts))
        random.Random(1).shuffle(ranks)
        return [1 / (10 + rank) ** 0.9 for rank in ranks]

    def reading(self):
        """The accounts that read in the benchmark, chosen evenly."""
        return random.Random(2).sample(range(self.accounts), min(self.readers, self.accounts))

    def writing(self):
        """The account of each post in the benchmark, chosen by followers."""
        return random.Random(3).choices(range(self.accounts), self.popularity(), k=self.writes)

    def write(self, path):
        """Writes the feed as NDJSON."""
        with open(path, "w", encoding="utf-8") as file:
            for record in itertools.chain(self._accounts(), self._follows(), self._statuses()):
                file.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")))
                file.write("\n")

    def _accounts(self):
        chance = random.Random(4)
        for number in range(self.accounts):
            yield {
                "kind": "account", "username": self.name(number), "display_name": text(chance, 2).title(),
                "city": chance.choice(CITIES), "note": text(chance, chance.randrange(30)),
                "created_at": _time(_FIRST - 86_400_000)}

    def _follows(self):
        chance = random.Random(5)
        popularity = self.popularity()
        sums = list(itertools.accumulate(popularity))
        for follower in range(self.accounts):
            wanted = min(int(chance.lognormvariate(0, 1) * _MEDIAN_FOLLOWS), _MAXIMUM_FOLLOWS, self.accounts // 2)
            for followee in sorted(_sample(chance, popularity, sums, wanted) - {follower}):
                yield {"kind": "follow", "from": self.name(follower), "to": self.name(followee)}

    def _statuses(self):
        chance = random.Random(6)
        # Popular accounts write more, but not as much more as they are popular.
        sums = list(itertools.accumulate(weight ** 0.7 for weight in self.popularity()))
        authors = range(self.accounts)
        step = _SPAN / self.statuses
        for number in range(self.statuses):
            author = chance.choices(authors, cum_weights=sums)[0]
            yield self._status(chance, number, author, _FIRST + int((number + chance.random()) * step))

    def _status(self, chance, number, author, time):
        words = text(chance, 5 + int(chance.expovariate(1 / 18)))[:400]
        record = {
            "kind": "status", "n": number, "author": self.name(author), "created_at": _time(time), "source": "web",
            "language": chance.choice(("en", "de", "fr")), "text": words,
            "visibility": chance.choices(_VISIBILITIES[0], cum_weights=_VISIBILITIES[1])[0]}
        if record["visibility"] == "direct":
            # To nobody, so that everyone else's searches have to pass over it.
            record["text"] += " " + SECRET
        elif chance.random() < 0.1:
            record["text"] += f" @{self.name(chance.randrange(self.accounts))}"
        if chance.random() < 0.02:
            record["spoiler_text"] = text(chance, 4)
        if number > 100 and chance.random() < 0.25:
            record["in_reply_to"] = number - 1 - int(chance.random() ** 3 * min(number - 1, 5000))
        return record


def _sample(chance, weights, sums, count):
    """Different members, by weight."""
    if count > len(weights) // 8:
        # By exponential keys, because repeated draws would hardly find the last ones.
        keys = ((chance.expovariate(weight), member) for member, weight in enumerate(weights))
        return {member for _, member in heapq.nsmallest(count, keys)}
    found = set()
    while len(found) < count:
        found.update(chance.choices(range(len(weights)), cum_weights=sums, k=count - len(found)))
    return found


def _time(milliseconds):
    """ISO 8601 in UTC."""
    seconds, rest = divmod(milliseconds, 1000)
    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{rest:03d}Z"
