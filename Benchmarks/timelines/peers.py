"""The C programs of Benchmarks/peers: compiled when they are needed."""

import pathlib
import shutil
import subprocess

from support.machine import BenchmarkError

_SOURCES = pathlib.Path(__file__).parent.parent / "peers"
_LIBRARY = ["-shared", "-fPIC"]
_PROGRAMS = {
    "record.so": ("record.c", _LIBRARY, ["-ldl"]), "fsyncs.so": ("fsyncs.c", _LIBRARY, ["-ldl"]),
    "replay": ("replay.c", ["-pthread"], ["-lsqlite3"])}


def compile_peers(folder):
    """Compiles all of them into a folder, and returns it."""
    compiler = next(filter(None, map(shutil.which, ("clang", "gcc", "cc"))), None)
    if not compiler:
        raise BenchmarkError("a C compiler is needed: clang or gcc")
    folder.mkdir()
    for name, (source, options, libraries) in _PROGRAMS.items():
        command = [compiler, "-O2", "-Wall", "-Wextra", *options, "-o", folder / name, _SOURCES / source, *libraries]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            raise BenchmarkError(f"{source}: {result.stderr.strip()[-500:]}")
    return folder
