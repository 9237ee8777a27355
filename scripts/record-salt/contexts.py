"""What templates are rendered with, by name. Recorded once in contexts.json; a case names its context.

`std` is for small cases. The machines (`deb-web` and so on) are for whole files: grains, pillar, mine and Salt's functions.
"""
import copy

from encode import encode, host_function
from host_functions import salt_functions
from machines import MACHINES
from markupsafe import Markup

FUNCTIONS = {
    "add": lambda a, b=1: a + b,
    "echo": lambda *args, **kwargs: [list(args), kwargs],
    "none": lambda: None,
}


def std():
    users = [
        {"name": "john", "age": 42, "city": "Berlin", "admin": True, "langs": ["de", "en"]},
        {"name": "Jane", "age": 29, "city": "Oslo", "admin": False, "langs": []},
        {"name": "émile", "age": 35, "city": "Berlin", "admin": False, "langs": ["fr"]},
    ]
    return {
        "n": 7,
        "zero": 0,
        "neg": -5,
        "big": 2**70,
        "f": 3.75,
        "third": 1 / 3,
        "huge": 1e300,
        "inf": float("inf"),
        "nan": float("nan"),
        "s": "hello world",
        "name": "Ada",
        "empty": "",
        "html": "<a href=\"x\">T&C's</a>",
        "safe": Markup("<b>bold</b>"),
        "text": "first line\nsecond line\n\nfourth line",
        "uni": "naïve café ☕ 😀",
        "yes": True,
        "no": False,
        "nothing": None,
        "xs": [3, 1, 2],
        "words": ["pear", "Apple", "fig", "banana"],
        "mixed": [1, "a", None, 2.5, True],
        "nested": [[1, 2], [3, [4, 5]], []],
        "t": (1, 2, 3),
        "t1": ("only",),
        "d": {"b": 2, "a": 1, "C": 3},
        "conf": {"port": 8080, "hosts": ["a.example", "b.example"], "tls": {"cert": "/etc/tls.pem", "on": True}},
        "intkeys": {1: "one", 2: "two", (1, 2): "pair", None: "nil"},
        "tricky": {"items": "own", "keys": [1], "get": "got", "name": "x"},
        "users": users,
        "tree": [
            {"label": "root", "kids": [{"label": "left", "kids": []}, {"label": "right", "kids": [{"label": "leaf", "kids": []}]}]},
            {"label": "other", "kids": []},
        ],
        "raw": b"bytes \xff",
        "add": host_function("add", FUNCTIONS["add"]),
        "echo": host_function("echo", FUNCTIONS["echo"]),
        "nil": host_function("none", FUNCTIONS["none"]),
    }


def machine(facts):
    facts = copy.deepcopy(facts)
    grains, pillar, mine = facts["grains"], facts["pillar"], facts.get("mine", {})
    return {
        "grains": grains,
        "pillar": pillar,
        "salt": salt_functions(pillar, grains, mine),
        "opts": {"id": grains["id"], "environment": facts.get("env", "base"), "test": False},
        "saltenv": facts.get("env", "base"),
        "sls": "formula.init",
        "slspath": "formula",
        "tplroot": "formula",
    }


def build(name, overrides=None):
    context = std() if name == "std" else {} if name == "none" else machine(MACHINES[name])
    context.update(copy.deepcopy(overrides or {}))
    return context


def all_encoded():
    """Machines share their mine with their functions: it is stored beside what a template sees."""
    table = {"none": {"context": {}}, "std": {"context": encode(std())}}
    for name, facts in MACHINES.items():
        table[name] = {"context": encode(machine(facts)), "mine": encode(facts.get("mine", {}))}
    return table
