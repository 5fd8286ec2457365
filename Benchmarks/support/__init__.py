"""What the benchmarks share: peers, processes, resource use, the report."""
