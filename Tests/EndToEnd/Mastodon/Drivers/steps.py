"""Runs steps one after another, prints one line for each, and continues after a failure.

    step = Steps()

    @step("a status is posted")
    def _():
        same(client.status_post("hello").visibility, "public")

    step.finish()

One missing feature shall fail one step, so a step makes what it needs.
"""

import inspect
import sys
import traceback


class Steps:
    def __init__(self):
        self.failures = 0

    def __call__(self, name):
        def run(action):
            try:
                action()
            except Exception as error:
                self.failures += 1
                line = line_of(error, action)
                print(f"FAIL {name} (line {line}): {type(error).__name__}: {error}"[:1500], flush=True)
            else:
                print(f"ok   {name}", flush=True)
            return action

        return run

    def finish(self):
        """Ends the program: 1 if a step failed."""
        print(f"{self.failures} failed" if self.failures else "all passed")
        sys.exit(1 if self.failures else 0)


def line_of(error, action):
    """The line of the script at which a step failed."""
    file = inspect.unwrap(action).__code__.co_filename
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return lines[0] if lines else "?"


def same(found, wanted, what="value"):
    if found != wanted:
        raise AssertionError(f"{what} is {found!r}, not {wanted!r}")


def true(condition, what):
    if not condition:
        raise AssertionError(what)


def refused(action, *texts):
    """The action must raise an error whose message contains one of the texts."""
    try:
        result = action()
    except Exception as error:
        message = f"{type(error).__name__}: {error}"
        true(not texts or any(text in message for text in texts), f"refused with {message}, not with one of {texts}")
    else:
        raise AssertionError(f"not refused, but answered with {str(result)[:300]}")
