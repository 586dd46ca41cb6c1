"""
Runs each case at once, and prints of it a line of JSON: its name, null or what went wrong, and what the emulator lacks for it.
"""

import asyncio
import inspect
import json


def absent(what):
    """For a case that fails, since the emulator lacks this."""
    return lambda function: case(function, what)


def case(function, lacks=None):
    error = None
    try:
        result = function()
        if inspect.iscoroutine(result):
            asyncio.run(result)
    except BaseException as caught:
        error = f"{type(caught).__name__}: {caught}"
    print(json.dumps({"name": function.__name__, "error": error, "absent": lacks}), flush=True)
    return function


def equal(actual, wanted):
    if actual != wanted:
        raise AssertionError(f"{actual!r} instead of {wanted!r}")


def raises(kind, function):
    try:
        function()
    except kind as error:
        return str(error)
    raise AssertionError(f"no {kind.__name__}")
