"""Records what Salt's filters and Python's `re` answer. `--fresh SEED N FOLDER` writes N new cases of each there."""
import sys
from pathlib import Path

import filter_cases
import regex_cases
from record import FIXTURES, SEED, dump

PATTERNS = 2500
CALLS = 3000


def main(arguments):
    if arguments[:1] == ["--fresh"]:
        seed, count, folder = int(arguments[1]), int(arguments[2]), Path(arguments[3])
        write(folder, "salt-regex", regex_cases.recorded(seed, count))
        write(folder, "salt-filters", filter_cases.recorded(seed, count))
        return
    write(FIXTURES, "salt-regex", regex_cases.recorded(SEED, PATTERNS))
    write(FIXTURES, "salt-filters", filter_cases.recorded(SEED, CALLS))


def write(folder, name, cases):
    (folder / f"{name}.jsonl").write_text("".join(dump(case) + "\n" for case in cases))
    print(f"{name}: {len(cases)} cases", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
