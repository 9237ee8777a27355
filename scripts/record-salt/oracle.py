"""Runs a case through Python's Jinja2 and writes down what came of it.

The environment is the one Salt builds: sandboxed, strict, with `do` and loop controls, plus Salt's own statements.
"""
import contextlib
import re
import signal
import sys
import traceback

import jinja2
from jinja2.sandbox import SandboxedEnvironment

import contexts
from encode import encode
from salt_extension import SaltStatements

UNDEFINED = {
    "strict": jinja2.StrictUndefined,
    "lenient": jinja2.Undefined,
    "chainable": jinja2.ChainableUndefined,
    "debug": jinja2.DebugUndefined,
}
MAIN = "main"
ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
SECONDS_MAX = 10


class NotRecordable(Exception):
    """What Python printed depends on the machine or the moment."""


def record(case):
    """The case with its `out` or `err`."""
    options = dict(case.get("o", {}))
    environment = SandboxedEnvironment(
        loader=jinja2.FunctionLoader(_loader(case)),
        undefined=UNDEFINED[options.pop("undefined", "strict")],
        extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols", SaltStatements],
        autoescape=options.pop("autoescape", False),
        **options,
    )
    name, overrides = _context_parts(case)
    context = contexts.build(name, overrides)
    result = dict(case)
    if overrides is not None:
        result["c"] = [name, encode(overrides)]
    try:
        with _time_limit():
            result["out"] = environment.get_template(MAIN).render(context)
    except NotRecordable:
        raise
    except Exception as error:
        result["err"] = _describe(error)
    text = result.get("out", result.get("err", {}).get("message", ""))
    if ADDRESS.search(text):
        raise NotRecordable(f"an address in {case}")
    text.encode()  # a lone surrogate cannot be stored
    return result


def _context_parts(case):
    context = case.get("c", "std")
    return context if isinstance(context, (list, tuple)) else (context, None)


def _loader(case):
    files = {MAIN: case["t"], **case.get("f", {})}

    def load(name):
        return (files[name], name, None) if name in files else None

    return load


def _describe(error):
    if isinstance(error, jinja2.TemplateSyntaxError):
        return {"type": type(error).__name__, "message": error.message, "line": error.lineno, "name": error.name}
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.endswith(".py") and not frame.filename.startswith("<frozen")
    ]
    described = {"type": type(error).__name__, "message": str(error)}
    if frames:
        described["line"] = frames[-1].lineno
        described["name"] = frames[-1].filename
    return described


@contextlib.contextmanager
def _time_limit():
    def too_long(*_):
        raise NotRecordable("took too long")

    old = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(SECONDS_MAX)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)


sys.setrecursionlimit(1000)
