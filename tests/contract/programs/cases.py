"""Runs each case at once, and prints of it a line of JSON: {"case": its name, "error": null, or what went wrong}."""

import asyncio
import inspect
import json


def case(function):
    error = None
    try:
        result = function()
        if inspect.iscoroutine(result):
            asyncio.run(result)
    except BaseException as caught:
        error = f"{type(caught).__name__}: {caught}"
    print(json.dumps({"case": function.__name__, "error": error}, separators=(",", ":")), flush=True)
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
