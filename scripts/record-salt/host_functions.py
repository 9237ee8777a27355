"""The functions a context can hand in, in the manner of Salt's. test/jinja/host-functions.ts has the same ones."""
import copy

from encode import host_function


def traverse(data, key, default, delimiter=":"):
    for part in key.split(delimiter):
        if isinstance(data, dict) and part in data:
            data = data[part]
        elif isinstance(data, list) and part.isdigit() and int(part) < len(data):
            data = data[int(part)]
        else:
            return default
    return data


def merge_into(target, update):
    for key, value in update.items():
        if isinstance(target.get(key), dict) and isinstance(value, dict):
            merge_into(target[key], value)
        else:
            target[key] = value
    return target


def salt_functions(pillar, grains, mine):
    def filter_by(lookup, grain="os_family", merge=None, default="default"):
        found = lookup.get(traverse(grains, grain, None), lookup.get(default))
        found = copy.deepcopy(found)
        return merge_into(found, merge) if merge else found

    functions = {
        "pillar.get": lambda key, default="", delimiter=":": traverse(pillar, key, default, delimiter),
        "grains.get": lambda key, default="", delimiter=":": traverse(grains, key, default, delimiter),
        "config.get": lambda key, default="": traverse(grains, key, traverse(pillar, key, default)),
        "grains.filter_by": filter_by,
        "defaults.merge": merge_into,
        "slsutil.merge": lambda a, b: merge_into(copy.deepcopy(a), b),
        "cmd.run": lambda cmd, **_: f"output of {cmd}",
        "file.file_exists": lambda path: path.endswith(".conf"),
        "pkg.version": lambda name: {"nginx": "1.22.1-9", "openssl": "3.0.15-1"}.get(name, ""),
        "mine.get": lambda tgt, fun, tgt_type="glob": mine.get(fun, {}),
        "fail": lambda message="no reason": _fail(message),
    }
    return {name: host_function(name, call) for name, call in functions.items()}


def _fail(message):
    raise ValueError(message)
