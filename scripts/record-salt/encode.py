"""Values as JSON that keeps Python's types apart: the same form is read by test/jinja/encoded-value.ts.

  null, true, "text", [list], whole numbers    as they are
  {"$f": "1.5"}     float (its repr)           {"$i": "123…"}   int outside of JavaScript's safe range
  {"$t": […]}       tuple                      {"$d": [[k, v]]} dict
  {"$b": "6869"}    bytes, in hex              {"$m": "<b>"}    Markup
  {"$s": […]}       set, its items by their text
  {"$fn": "name"}   a function that the test harness has too (host_functions.py, test/jinja/host-functions.ts)
  A dict whose keys are all text without a leading $ is a plain JSON object, unless JavaScript would reorder them.
"""
import json

from jinja2 import Undefined
from markupsafe import Markup

SAFE = 2**53 - 1


def host_function(name, call):
    """A function that a context hands in, known by name on both sides."""
    call.__name__ = call.__qualname__ = call.host_name = name
    return call


def encode(value):
    if value is None or value is True or value is False:
        return value
    if isinstance(value, Undefined):
        return {"$u": True}
    if isinstance(value, Markup):
        return {"$m": str(value)}
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return value if abs(value) <= SAFE else {"$i": str(value)}
    if isinstance(value, float):
        return {"$f": repr(value)}
    if isinstance(value, list):
        return [encode(item) for item in value]
    if isinstance(value, tuple):
        return {"$t": [encode(item) for item in value]}
    if isinstance(value, (set, frozenset)):
        return {"$s": sorted((encode(item) for item in value), key=lambda item: json.dumps(item, ensure_ascii=False))}
    if isinstance(value, bytes):
        return {"$b": value.hex()}
    if hasattr(value, "host_name"):
        return {"$fn": value.host_name}
    if isinstance(value, dict):
        if all(type(key) is str and not key.startswith("$") and not key.isdigit() for key in value):
            return {key: encode(item) for key, item in value.items()}
        return {"$d": [[encode(key), encode(item)] for key, item in value.items()]}
    raise ValueError(f"no encoding for {value!r}")
