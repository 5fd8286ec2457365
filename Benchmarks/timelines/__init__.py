"""The parts of speed.py: a large feed, the contestants, the load, the scenarios, the report."""
