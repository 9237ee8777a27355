"""Records test/fixtures/jinja: `record.py` writes every file again; `record.py --fresh SEED N` prints N new cases.

Every case is asked twice, in two processes whose hashes differ: an answer that depends on chance or on the order of a set
of texts is not recorded.
"""
import hashlib
import json
import multiprocessing
import os
import sys
import warnings
from pathlib import Path

import contexts
import grammar
import small_cases
from formula_cases import formula_cases
from oracle import NotRecordable, names, record

FIXTURES = Path(__file__).parents[2] / "test" / "fixtures" / "jinja"
SEED = 20240611
EXPRESSIONS = 3000
TEMPLATES = 1000


def main(arguments):
    if arguments[:1] == ["--fresh"]:
        for case in fresh(int(arguments[1]), int(arguments[2])):
            print(dump(case))
        return
    FIXTURES.mkdir(parents=True, exist_ok=True)
    write_contexts()
    (FIXTURES / "names.json").write_text(json.dumps(names(), indent=1) + "\n")
    seen = set()
    for name, cases in small_cases.all_files().items():
        write(name, recorded(cases, strict=True, seen=seen))
    write("formulas", recorded(formula_cases(), strict=True))
    write("generated-expressions", generated("expression", SEED, EXPRESSIONS))
    write("generated-templates", generated("template", SEED, TEMPLATES))


def recorded(cases, strict, seen=None):
    """`strict`: a hand-written case that Python answers with an address is a mistake in the case."""
    seen = set() if seen is None else seen
    for case in cases:
        try:
            result = record(case)
            if result != SECOND.apply(record, (case,)):
                raise NotRecordable(f"not the same twice: {case}")
        except (NotRecordable, UnicodeEncodeError):
            if strict:
                raise
            continue
        group = result.pop("group")
        key = json.dumps([result.get(part) for part in ("t", "f", "o", "c")], sort_keys=True)
        name = f"{group}/{hashlib.sha256(key.encode()).hexdigest()[:8]}"
        if name in seen:
            continue
        seen.add(name)
        yield {"id": name, **result}


def generated(kind, seed, count):
    """As many as asked for: what cannot be recorded is replaced by the next."""
    cases = grammar.cases(kind, seed)
    kept = recorded(cases, strict=False)
    return [next(kept) for _ in range(count)]


def fresh(seed, count):
    return [*generated("expression", seed, count - count // 4), *generated("template", seed, count // 4)]


def write_contexts():
    rows = [f"{json.dumps(name)}: {dump(entry)}" for name, entry in contexts.all_encoded().items()]
    (FIXTURES / "contexts.json").write_text("{\n" + ",\n".join(rows) + "\n}\n")


def write(name, cases):
    lines = [dump(case) for case in cases]
    (FIXTURES / f"{name}.jsonl").write_text("".join(line + "\n" for line in lines))
    print(f"{name}: {len(lines)} cases", file=sys.stderr)


def dump(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def second_process():
    os.environ["PYTHONHASHSEED"] = "1"
    return multiprocessing.get_context("spawn").Pool(1)


if __name__ == "__main__":
    SECOND = second_process()
    # Jinja2 compiles templates to Python, which warns about `1['a']`.
    warnings.simplefilter("ignore", SyntaxWarning)
    main(sys.argv[1:])
