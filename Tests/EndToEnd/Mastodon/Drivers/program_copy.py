"""Runs a Python program in a copy of this process, which has already imported what the program depends on.

That takes longer than most commands. Everything else is as in a new process: the installed script, the program's own
modules, its arguments, environment, input and output.
"""

import importlib
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import traceback
from contextlib import ExitStack


def import_dependencies(package, module):
    """Imports what a module of a package imports, except for that package."""
    importlib.import_module(module)
    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        del sys.modules[name]


def run(command, environment, given="", seconds=300):
    """What `subprocess.run` returns."""
    with ExitStack() as stack:
        files = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
        files[0].write(given.encode())
        files[0].seek(0)
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            become(command, environment, files, seconds)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        for file in files:
            file.seek(0)
        output, error = (file.read().decode() for file in files[1:])
        return subprocess.CompletedProcess(command, code, output, error)


def become(command, environment, files, seconds):
    """Runs the program and exits."""
    code = 1
    try:
        signal.alarm(seconds)
        for number, file in enumerate(files):
            os.dup2(file.fileno(), number)
        sys.stdin, sys.stdout, sys.stderr = (
            open(number, "w" if number else "r", encoding="utf-8", closefd=False) for number in range(3))
        os.environ.clear()
        os.environ.update(environment)
        sys.argv = list(command)
        runpy.run_path(command[0], run_name="__main__")
        code = 0
    except SystemExit as end:
        code = exit_code(end)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def exit_code(end):
    if end.code is None or isinstance(end.code, int):
        return end.code or 0
    print(end.code, file=sys.stderr)
    return 1
