"""Records test/fixtures/yaml: what Salt's YAML renderer reads, and what PyYAML writes.

record_yaml.py --fresh SEED N prints N new load cases instead.
"""
import json
import sys
from itertools import islice
from pathlib import Path

import yaml

from encode import encode
from yaml_documents import BY_HAND, random_documents, scalar_documents
from yaml_loader import load, load_as_salt
from yaml_mutations import mutated_documents, soup_documents
from yaml_shapes import SEXAGESIMAL, SHAPES
from yaml_values import bytes_cases, random_cases, string_cases

FIXTURES = Path(__file__).parents[2] / "test" / "fixtures" / "yaml"
SEED = 20240611
DOCUMENTS = 2500
MUTATIONS = 3500
SOUPS = 2000
VALUES = 1500


def load_case(text, load=load):
    try:
        value = load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        failed = {"type": type(error).__name__, "problem": str(getattr(error, "problem", None) or error)}
        if mark is not None:
            failed.update(line=mark.line + 1, column=mark.column + 1)
        return {"text": text, "error": failed}
    except (ValueError, RecursionError, KeyError, IndexError, TypeError, AttributeError) as error:
        # Where the loader itself stumbles: `!!int x`, `0b_`, `!!bool x`.
        return {"text": text, "error": {"type": type(error).__name__, "problem": str(error)}}
    return {"text": text, "value": encode_shared(value)}


def encode_shared(value):
    """As encode.py, and what is one list or dict in several places is {"$a": [1, …]} once and {"$r": 1} afterwards.

    What only Python has, a set or a tuple, is {"$py": its repr}.
    """
    counts = {}

    def count(item):
        if isinstance(item, (list, dict)):
            counts[id(item)] = counts.get(id(item), 0) + 1
            if counts[id(item)] == 1:
                for child in [*item.keys(), *item.values()] if isinstance(item, dict) else item:
                    count(child)

    numbers = {}

    def convert(item):
        if isinstance(item, (set, tuple)):
            return {"$py": repr(item)}
        if not isinstance(item, (list, dict)):
            return encode(item)
        if id(item) in numbers:
            return {"$r": numbers[id(item)]}
        if counts[id(item)] > 1:
            numbers[id(item)] = len(numbers) + 1
            return {"$a": [numbers[id(item)], inner(item)]}
        return inner(item)

    def inner(item):
        if isinstance(item, list):
            return [convert(child) for child in item]
        return {"$d": [[convert(key), convert(child)] for key, child in item.items()]}

    count(value)
    return convert(value)


def dump_case(value, options):
    return {"value": encode_shared(value), "options": options, "text": yaml.dump(value, Dumper=yaml.CSafeDumper, **options)}


def unique_lines(cases):
    seen = set()
    for case in cases:
        try:
            line = json.dumps(case, ensure_ascii=False, separators=(",", ":"))
            line.encode()
        except (UnicodeEncodeError, TypeError):
            continue
        if line not in seen:
            seen.add(line)
            yield line + "\n"


def write(name, cases):
    lines = list(unique_lines(cases))
    (FIXTURES / f"{name}.jsonl").write_text("".join(lines))
    print(f"yaml {name}: {len(lines)} cases", file=sys.stderr)


def loads():
    yield from map(load_case, [*BY_HAND, *SHAPES, *scalar_documents()])
    yield from (load_case(text, load_as_salt) for text in SEXAGESIMAL)
    yield from map(load_case, islice(random_documents(SEED), DOCUMENTS))
    yield from map(load_case, islice(mutated_documents(SEED), MUTATIONS))
    yield from map(load_case, islice(soup_documents(SEED), SOUPS))


def fresh_loads(seed, count):
    for documents in (random_documents, mutated_documents, soup_documents):
        yield from map(load_case, islice(documents(seed), count // 3))


def dumps():
    for value, options in [*string_cases(), *bytes_cases(), *islice(random_cases(SEED), VALUES)]:
        yield dump_case(value, options)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--fresh"]:
        sys.stdout.writelines(unique_lines(fresh_loads(sys.argv[2], int(sys.argv[3]))))
    else:
        FIXTURES.mkdir(parents=True, exist_ok=True)
        write("load", loads())
        write("dump", dumps())
