"""What downloads are measured under which conditions."""

import dataclasses

from support import machine, report, transfers
from support.client_report import cpu_ratio, every_run, lane_table, program_seconds, ratio, share
from support.clients import ClientLane, Job, Payload, aria2, axel, curl, feedclient
from support.lanes import alternate
from support.machine import say
from support.servers import FaultProxy, Feedserver, Nginx

MIB = 1 << 20
#: Bytes per second and connection, where it is limited.
RATE = 2_000_000
#: Bytes under way on one connection, where there is a delay.
WINDOW = 1 * MIB
#: Round trips in seconds.
ROUND_TRIPS = (0.05, 0.2)


class Plan:
    """How much of everything."""

    def __init__(self, smoke, runs):
        self.loopback_bytes = (8 if smoke else 512) * MIB
        self.capped_bytes_per_connection = (1 if smoke else 8) * MIB
        # At 80 % of what eight connections carry this takes a minute.
        self.adaptive_bytes = (8 if smoke else 8 * RATE * 60 * 80 // 100 // MIB) * MIB
        self.delayed_bytes = [size * MIB for size in ((8, 8) if smoke else (256, 96))]
        self.slow_bytes = (8 if smoke else 64) * MIB
        self.loopback_rounds = runs or (1 if smoke else 7)
        self.capped_rounds = self.delayed_rounds = self.slow_rounds = runs or (1 if smoke else 3)
        self.adaptive_rounds = runs or (1 if smoke else 2)
        self.limit_seconds = 300 if smoke else 300 * max(3, runs or 0)

    @property
    def needed_bytes(self):
        """Room on the disk: the files, the largest once more as a copy, and some more."""
        capped = sum((1, 2, 4, 8)) * self.capped_bytes_per_connection
        sizes = [2 * self.loopback_bytes, capped, self.adaptive_bytes, *self.delayed_bytes, self.slow_bytes]
        return sum(sizes) + max(sizes) + 256 * MIB


class Bench:
    """What all scenarios share: nginx with its files, our client, the folder."""

    def __init__(self, stack, folder, options):
        self._stack, self._folder, self._options = stack, folder, options
        self._www = folder / "www"
        self._www.mkdir()
        self._payloads = {}
        self.nginx = stack.enter_context(Nginx(folder, self._www))
        self.ours_has_connections = "--connections" in machine.output(str(options.client), "download", "--help")
        if not self.ours_has_connections:
            say("This feedclient has no --connections; lanes with several are left out")

    def ours(self, connections=None):
        """Our client, at its own choice or with so many connections; None when it cannot be told."""
        if connections and not self.ours_has_connections:
            return None
        return feedclient(self._options.client, connections)

    def payload(self, size):
        """A file of that size on nginx."""
        if size not in self._payloads:
            self._payloads[size] = Payload.make(self._www, f"{size // MIB}.bin", size)
        return self._payloads[size]

    def feedserver(self, payload):
        """Our server, with that file too."""
        ours = self._stack.enter_context(Feedserver(self._folder, self._options.server))
        transfers.curl("--header", f"Authorization: Bearer {ours.token}", "--upload-file",
                       str(self._www / payload.name), ours.url(payload.name), accept=("201",))
        return ours

    def proxy(self, **faults):
        """The faults, in front of nginx."""
        return FaultProxy(self._folder, self.nginx, **faults)

    def race(self, title, server, payload, clients, rounds, limit):
        """Lets the clients fetch the file in turn. Behind a proxy the warm-up is a small file. Lanes by label."""
        def job(payload):
            return Job(server, payload, self._folder / "target" / "file.bin", limit)

        small = job(self.payload(1 * MIB)) if isinstance(server, FaultProxy) else None
        lanes = [ClientLane(client, job(payload), small) for client in clients if client]
        return {lane.label: lane for lane in alternate(title, lanes, rounds)}


@dataclasses.dataclass
class Section:
    """What one scenario has found."""

    heading: str
    about: str
    ratios: str
    lanes: dict

    def text(self, description):
        return "\n\n".join([description, self.about, self.ratios, lane_table(self.lanes), every_run(self.lanes)])


def titled(title, found):
    """Lanes of several races in one table."""
    return {f"{title}, {label}": lane for label, lane in found.items()}


# The scenarios


def loopback(bench, plan):
    """A: nothing is to be gained by many connections, only CPU time to be lost."""
    payload = bench.payload(plan.loopback_bytes)
    clients = [bench.ours(), curl(("sha256sum",)), curl(), aria2(), aria2(8)]
    rows, lanes = [], {}
    for server in (bench.nginx, bench.feedserver(payload)):
        found = bench.race(f"A, {server.name}", server, payload, clients, plan.loopback_rounds, limit=60)
        ours, curl_sha256sum, curl_openssl, default, tuned = found.values()
        rows.append([
            server.name, ratio(ours, curl_sha256sum, 0.95), ratio(ours, curl_openssl), ratio(ours, default),
            ratio(ours, tuned), cpu_ratio(ours, tuned, 1)])
        lanes |= titled(server.name, found)
    head = ["server", "ours / curl + sha256sum", "ours / curl + openssl", "ours / aria2c, defaults",
            "ours / aria2c -x 8", "CPU, aria2c -x 8 / ours"]
    return Section(
        "Downloads A: plain loopback",
        f"A file of {payload.size // MIB} MiB in the page cache, straight from the server.",
        report.table(head, rows), lanes)


def capped(bench, plan):
    """B: the rate of each connection is limited, so that N of them should be N times as fast as one."""
    rows, lanes = [], {}
    with bench.proxy(rate=RATE) as proxy:
        for n in (1, 2, 4, 8):
            payload = bench.payload(n * plan.capped_bytes_per_connection)
            ideal = payload.size / RATE / n
            clients = [bench.ours(n), aria2(n), axel(n)]
            found = bench.race(f"B, {n}", proxy, payload, clients, plan.capped_rounds, limit=4 * ideal + 10)
            ours = found.get(f"feedclient --connections {n}")
            shares = [share(found[peer.label], ideal) for peer in clients[1:]]
            rows.append([str(n), f"{ideal:.2f}", share(ours, ideal, 0.95), *shares])
            lanes |= titled(f"{payload.size // MIB} MiB", found)
        adaptive, found = adapt(bench, plan, proxy)
    return Section(
        "Downloads B: a rate per connection",
        f"Each connection carries {RATE / 1e6:g} MB/s. The ideal is all connections at that rate from the first moment "
        f"to the last. The files have {plan.capped_bytes_per_connection // MIB} MiB for each connection; without "
        f"`--connections` {plan.adaptive_bytes // MIB} MiB, which eight connections carry in a minute at 80 % of their "
        "rate.",
        report.table(["connections", "ideal s", "ours / ideal", "aria2c -x N / ideal", "axel -n N / ideal"],
                     rows + adaptive),
        lanes | found)


def adapt(bench, plan, proxy):
    """The part of B in which our client chooses. Returns rows and lanes."""
    if not bench.ours_has_connections:
        return [], {}
    client = bench.ours()
    payload = bench.payload(plan.adaptive_bytes)
    ideal = payload.size / RATE / 8
    found = bench.race("B, adaptive", proxy, payload, [client], plan.adaptive_rounds, limit=150)
    row = ["its own choice", f"{ideal:.2f}", share(found[client.label], ideal, 0.8), "–", "–"]
    return [row], titled(f"{payload.size // MIB} MiB", found)


def delayed(bench, plan):
    """C: a connection carries a window per round trip, and every request costs one."""
    rows, lanes = [], {}
    for round_trip, size in zip(ROUND_TRIPS, plan.delayed_bytes):
        title = f"{round_trip * 1000:.0f} ms"
        with bench.proxy(delay=round_trip / 2, window=WINDOW) as proxy:
            clients = [bench.ours(), bench.ours(8), aria2(8), curl()]
            found = bench.race(f"C, {title}", proxy, bench.payload(size), clients, plan.delayed_rounds, limit=120)
        *ours, peer, single = found.values()
        rows += [
            [f"{title}, {lane.label}", ratio(lane, peer, 1), ratio(lane, peer, value=program_seconds),
             ratio(lane, single)] for lane in ours]
        lanes |= titled(title, found)
    sizes = " and ".join(str(size // MIB) for size in plan.delayed_bytes)
    return Section(
        "Downloads C: delay",
        f"Round trips of {ROUND_TRIPS[0] * 1000:.0f} and {ROUND_TRIPS[1] * 1000:.0f} ms, also to set up a connection; "
        f"slow start up to {WINDOW // MIB} MiB under way per connection (so one carries at most "
        f"{WINDOW / ROUND_TRIPS[0] / 1e6:.0f} and {WINDOW / ROUND_TRIPS[1] / 1e6:.0f} MB/s); nothing is lost. Files of "
        f"{sizes} MiB.",
        report.table(["round trip", "ours / aria2c -x 8", "ours / aria2c -x 8 that hashes and syncs nothing",
                      "ours / curl"], rows), lanes)


def one_slow(bench, plan):
    """E: who waits for the slow connection at the end, loses."""
    payload = bench.payload(plan.slow_bytes)
    ideal = payload.size / (RATE * 7.1)
    clients = [bench.ours(8), aria2(8), axel(8)]
    with bench.proxy(rate=RATE, slow=3) as proxy:
        found = bench.race("E", proxy, payload, clients, plan.slow_rounds, limit=8 * ideal + 10)
    return Section(
        "Downloads E: one slow connection",
        f"Each connection carries {RATE / 1e6:g} MB/s, the third to be opened a tenth of that. The ideal for eight "
        f"connections and {payload.size // MIB} MiB is {ideal:.2f} s; a client that opens a new connection in its "
        "place can be faster.",
        report.table(["", "share of the ideal"], [
            [label, share(lane, ideal, 1 / 1.1 if label.startswith("feedclient") else 0)]
            for label, lane in found.items()]), found)


SCENARIOS = {"A": loopback, "B": capped, "C": delayed, "E": one_slow}
