"""Measuring: the same work by several contestants in turn, round after round."""

import dataclasses
import statistics
import time
from collections.abc import Callable

from support.machine import say
from support.usage import PeakMemory, cpu_seconds


@dataclasses.dataclass
class Sample:
    """What one contestant did in one round."""

    seconds: float
    bytes: int
    #: User and system time of the contestant, and of the programs that finish its work.
    cpu: float = 0.0

    @property
    def rate(self):
        """Bytes per second."""
        return self.bytes / self.seconds


@dataclasses.dataclass
class Lane:
    """One contestant's part in a comparison. `run` gets the number of the round and returns a `Sample`."""

    label: str
    run: Callable[[int], Sample]
    samples: list = dataclasses.field(default_factory=list)

    def rates(self):
        return [sample.rate for sample in self.samples]

    @property
    def rate(self):
        """The median of the rounds, bytes per second."""
        return statistics.median(self.rates())

    @property
    def seconds(self):
        """The median of the rounds."""
        return statistics.median(sample.seconds for sample in self.samples)

    def measure(self, number):
        """Runs one round; the first one, number 0, is a warm-up."""
        sample = self.run(number)
        if number > 0:
            self.samples.append(sample)


@dataclasses.dataclass
class ServerLane(Lane):
    """A server's part: its CPU time and memory count, whoever asks it."""

    server: object = None
    memory: list = dataclasses.field(default_factory=list)

    @property
    def cpu(self):
        """Over all rounds together, since the clock that counts CPU time is coarse."""
        return sum(sample.cpu for sample in self.samples)

    @property
    def cpu_per_byte(self):
        return self.cpu / sum(sample.bytes for sample in self.samples)

    @property
    def memory_before_peak_after(self):
        """Anonymous memory before the first round, at its highest, and after the last."""
        return self.memory[0].before, max(one.peak for one in self.memory), self.memory[-1].after

    def measure(self, number):
        """As `Lane.measure`, but the memory counts in the warm-up too."""
        with PeakMemory(self.server.pid) as memory:
            before = cpu_seconds(self.server.pids)
            sample = self.run(number)
            sample.cpu += cpu_seconds(self.server.pids) - before
        self.memory.append(memory)
        if number > 0:
            self.samples.append(sample)


def alternate(title, lanes, rounds):
    """One warm-up and then `rounds` rounds of A B C A B C …, so that a slow minute meets everybody."""
    say(f"{title}: {rounds} rounds")
    for number in range(rounds + 1):
        for lane in lanes:
            time.sleep(0.05)
            lane.measure(number)
    return lanes
