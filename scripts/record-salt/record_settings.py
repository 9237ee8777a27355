"""Records test/fixtures/salt-settings: what Salt makes of pillar data.

    merges.jsonl     two mappings, and what `salt.utils.dictupdate.merge` makes of them with each strategy
    pillars.jsonl    trees of pillar files (settings-trees/*.txt), and what Salt's pillar compiler makes of them
    functions.jsonl  calls of `pillar.*`, and what Salt's module answers

A tree begins with YAML: `id` and `grains` of the machine, `strategy` and `lists` (how Salt is set to merge). Each file follows
`==== path`. `record_settings.py --fresh SEED N FOLDER` writes N new merges there.
"""
import copy
import json
import logging
import random
import sys
import tempfile
from pathlib import Path

import salt.config
import salt.modules.pillar
import salt.pillar
import salt.utils.dictupdate

from encode import encode
from record_low_states import read_tree

FOLDER = Path(__file__).parent / "settings-trees"
FIXTURES = Path(__file__).parents[2] / "test" / "fixtures" / "salt-settings"
SEED = 20240611
MERGES = 600
STRATEGIES = ["smart", "recurse", "aggregate", "overwrite"]

KEYS = ["a", "b", "c", "web", "1", 1, 443, True, None, 2.0, "a:b"]
SCALARS = [None, True, False, 0, 1, 2, -3, 1.0, 2.5, "", "x", "y", "1", "None", b"hi", 2**60]


def main(arguments):
    logging.disable(logging.CRITICAL)
    if arguments[:1] == ["--fresh"]:
        write(Path(arguments[3]), "merges", merges(int(arguments[1]), int(arguments[2])))
        return
    FIXTURES.mkdir(parents=True, exist_ok=True)
    write(FIXTURES, "merges", merges(SEED, MERGES))
    write(FIXTURES, "functions", [called(*call) for call in CALLS])
    with tempfile.TemporaryDirectory() as scratch:
        write(FIXTURES, "pillars", [pillar_case(path, scratch) for path in sorted(FOLDER.glob("*.txt"))])


def write(folder, name, cases):
    text = "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in cases)
    (folder / f"{name}.jsonl").write_text(text)
    print(f"salt-settings/{name}: {len(cases)} cases", file=sys.stderr)


# Merges

def merges(seed, count):
    chance = random.Random(seed)
    return [merge_case(chance, number) for number in range(count)]


def merge_case(chance, number):
    under, over = some_map(chance, 3), some_map(chance, 3)
    strategy, lists = STRATEGIES[number % len(STRATEGIES)], chance.random() < 0.5
    case = {"under": encode(under), "over": encode(over), "strategy": strategy, "lists": "append" if lists else "replace"}
    # Salt writes into what it is given.
    merged = salt.utils.dictupdate.merge(copy.deepcopy(under), copy.deepcopy(over), strategy, "jinja|yaml", lists)
    return {**case, "merged": encode(merged)}


def some_map(chance, depth):
    return {chance.choice(KEYS): some_value(chance, depth) for _ in range(chance.randrange(5))}


def some_value(chance, depth):
    kind = chance.random()
    if depth > 0 and kind < 0.4:
        return some_map(chance, depth - 1)
    if depth > 0 and kind < 0.7:
        return [some_value(chance, depth - 2) for _ in range(chance.randrange(5))]
    return chance.choice(SCALARS)


# Trees of pillar files

def pillar_case(path, scratch):
    machine, files = read_tree(path)
    root = Path(scratch) / path.stem
    for name, text in files.items():
        (root / "pillar" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "pillar" / name).write_text(text)
    name = machine.get("id", "web01")
    grains = {"id": name, "os": "Debian", "os_family": "Debian", "roles": ["web"], **machine.get("grains", {})}
    strategy, lists = machine.get("strategy", "smart"), machine.get("lists", "replace")
    compiled = compiled_pillar(root, name, grains, strategy, lists == "append")
    return {"tree": path.stem, "id": name, "grains": grains, "strategy": strategy, "lists": lists, "files": files, **compiled}


def compiled_pillar(root, name, grains, strategy, merge_lists):
    """The pillar, or why Salt finds it wrong."""
    opts = salt.config.apply_minion_config({}, minion_id=name)
    scratch = root / "salt"
    opts.update(
        id=name, file_client="local", root_dir=str(scratch), cachedir=str(scratch / "cache"), pki_dir=str(scratch / "pki"),
        sock_dir=str(scratch / "sock"), conf_file=str(scratch / "minion"), extension_modules=str(scratch / "ext"),
        file_roots={"base": []}, pillar_roots={"base": [str(root / "pillar")]}, fileserver_backend=["roots"], log_level="quiet",
        pillar_safe_render_error=False, pillar_source_merging_strategy=strategy, pillar_merge_lists=merge_lists, grains=grains,
    )
    compiler = salt.pillar.Pillar(opts, grains, name, "base")
    try:
        pillar = compiler.compile_pillar()
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        # Salt itself stumbles; for the user that is an error too.
        return {"errors": [f"{type(error).__name__}: {error}"]}
    finally:
        compiler.destroy()
    errors = pillar.pop("_errors", [])
    if errors:
        return {"errors": [str(error).replace(str(root), "").split("\n")[0] for error in errors]}
    return {"pillar": encode(pillar)}


# Calls of pillar.*

PILLAR = {
    "web": {"port": 80, "names": ["a", "b"], "tls": {"on": True}, "nothing": None, "empty": {}},
    "ports": {80: "http", 443: "https"},
    "users": [{"name": "ann"}, {"name": "bob", "keys": ["k1"]}],
    "a:b": "colon", "a.b": "dot", "zero": 0, "no": False, "text": "",
}
CALLS = [
    ("get", ["web"], {}), ("get", ["web:port"], {}), ("get", ["web:names:1"], {}), ("get", ["web:names:7"], {}),
    ("get", ["web.port"], {}), ("get", ["a:b"], {}), ("get", ["a.b"], {}), ("get", ["none"], {}), ("get", ["none"], {"default": 5}),
    ("get", ["web:nothing"], {}), ("get", ["web:nothing"], {"default": 5}), ("get", ["zero"], {"default": 5}),
    ("get", ["no"], {"default": 5}), ("get", ["text"], {"default": 5}), ("get", ["ports:443"], {}), ("get", ["users:0:name"], {}),
    ("get", ["users:name"], {}), ("get", ["users:1:keys"], {}), ("get", ["web/port"], {"delimiter": "/"}),
    ("get", ["web"], {"default": {"port": 1, "more": [1], "tls": {"off": 1}}, "merge": True}),
    ("get", ["web:names"], {"default": ["b", "c"], "merge": True}), ("get", ["web:names"], {"default": {"x": 1}, "merge": True}),
    ("get", ["none"], {"default": {"x": 1}, "merge": True}), ("get", [""], {}),
    ("item", ["web:port"], {}), ("item", ["web:port", "none"], {}), ("item", ["web", "zero"], {}), ("item", [], {}),
    ("item", ["none"], {"default": "d"}), ("item", ["web/port"], {"delimiter": "/"}),
    ("keys", ["web"], {}), ("keys", ["ports"], {}), ("keys", ["web:tls"], {}), ("keys", ["none"], {}), ("keys", ["web:port"], {}),
    ("keys", ["users"], {}), ("keys", ["web:empty"], {}), ("keys", ["web/tls"], {"delimiter": "/"}),
    ("raw", [], {}), ("raw", ["web"], {}), ("raw", ["web:port"], {}), ("raw", ["none"], {}), ("raw", ["zero"], {}),
]


def called(name, positional, named):
    module = salt.modules.pillar
    module.__opts__ = {"pillar_merge_lists": False}
    module.__pillar__ = copy.deepcopy(PILLAR)
    case = {"pillar": encode(PILLAR), "function": name, "positional": encode(positional), "named": encode(named)}
    try:
        return {**case, "answer": encode(getattr(module, name)(*positional, unmask=True, **named))}
    except (KeyError, TypeError, ValueError) as error:
        return {**case, "error": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    main(sys.argv[1:])
