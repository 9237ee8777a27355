"""Runs a case through Salt's own renderer and writes down what came of it.

The environment is the one that `salt.utils.templates.render_jinja_tmpl` makes for state files: its sandbox, extensions,
finalizer, filters, tests and globals. Only the loader is ours (a case brings its files along), and a case may choose another
undefined type or autoescape. Salt wraps errors in a sentence; what is written down is the error inside.
"""
import contextlib
import logging
import re
import signal
import sys
import traceback

import jinja2
import jinja2.sandbox
import salt.exceptions
import salt.modules.match  # noqa: F401  These imports fill Salt's tables of filters, tests and globals.
import salt.utils.data  # noqa: F401
import salt.utils.dateutils  # noqa: F401
import salt.utils.dictupdate  # noqa: F401
import salt.utils.files  # noqa: F401
import salt.utils.hashutils  # noqa: F401
import salt.utils.http  # noqa: F401
import salt.utils.jinja  # noqa: F401
import salt.utils.network  # noqa: F401
import salt.utils.path  # noqa: F401
import salt.utils.stringutils  # noqa: F401
import salt.utils.templates
import salt.utils.user  # noqa: F401
import salt.utils.yamlencoding  # noqa: F401

import contexts
from encode import encode

UNDEFINED = {
    "strict": jinja2.StrictUndefined,
    "lenient": jinja2.Undefined,
    "chainable": jinja2.ChainableUndefined,
    "debug": jinja2.DebugUndefined,
}
MAIN = "main"
ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
SECONDS_MAX = 10
SANDBOX = jinja2.sandbox.SandboxedEnvironment


class NotRecordable(Exception):
    """What Python printed depends on the machine or the moment."""


def record(case):
    """The case with its `out` or `err`."""
    options = dict(case.get("o", {}))
    undefined, autoescape = options.pop("undefined", "strict"), options.pop("autoescape", False)
    name, overrides = _context_parts(case)
    context = Given(contexts.build(name, overrides), options)
    result = dict(case)
    if overrides is not None:
        result["c"] = [name, encode(overrides)]
    loader = jinja2.FunctionLoader(_loader(case))
    try:
        with _sandbox(loader=loader, undefined=UNDEFINED[undefined], autoescape=autoescape), _time_limit():
            result["out"] = _without_appended_newline(case["t"], salt.utils.templates.render_jinja_tmpl(case["t"], context))
    except salt.exceptions.SaltRenderError as error:
        inside = error.__context__
        if isinstance(inside, NotRecordable):
            raise inside
        result["err"] = _describe(inside)
    text = result.get("out", result.get("err", {}).get("message", ""))
    if ADDRESS.search(text):
        raise NotRecordable(f"an address in {case}")
    text.encode()  # a lone surrogate cannot be stored
    return result


def names():
    """Everything a template finds in Salt's environment before it is given anything, by kind."""
    with _sandbox() as made:
        salt.utils.templates.render_jinja_tmpl("", Given({}, {}))
        (environment,) = made
        return {kind: sorted(getattr(environment, kind)) for kind in ("filters", "tests", "globals")}


class Given(dict):
    """A context whose template does not see the options that Salt looks up in it; no fileserver is asked for files."""

    def __init__(self, variables, environment_options):
        super().__init__(variables)
        self.own = {
            "opts": {"jinja_env": environment_options, "jinja_sls_env": environment_options},
            "saltenv": "",
        }

    def __getitem__(self, key):
        return self.own[key] if key in self.own else super().__getitem__(key)


@contextlib.contextmanager
def _sandbox(**own):
    """Salt makes its environment with these arguments besides its own, from a template that has a name."""
    made = []

    class Named(SANDBOX):
        def __init__(self, **arguments):
            super().__init__(**{**arguments, **own})
            made.append(self)

        def from_string(self, source):
            return super().from_string(source) if self.loader is None else self.get_template(MAIN)

    jinja2.sandbox.SandboxedEnvironment = Named
    try:
        yield made
    finally:
        jinja2.sandbox.SandboxedEnvironment = SANDBOX


def _without_appended_newline(source, output):
    """Salt gives a file its last newline back after the render."""
    return output[:-1] if source.endswith("\n") else output


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
        if not frame.filename.endswith((".py", ".pyx")) and not frame.filename.startswith("<frozen")
    ]
    # Where exactly the stack is full depends on who called Salt.
    full = "maximum recursion depth exceeded"
    message = full if isinstance(error, RecursionError) and full in str(error) else str(error)
    described = {"type": type(error).__name__, "message": message}
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


# Salt looks for the line by its own file names, which fails for some errors here. The lines are ours to find.
salt.utils.templates._get_jinja_error = lambda *_, **__: (None, "")
logging.disable(logging.CRITICAL)
sys.setrecursionlimit(1000)
