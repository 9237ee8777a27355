"""Records what Salt's filters and Python's `re` answer: `record_filters.py` writes the files, `… SEED N` prints N cases."""
import sys

import filter_cases
import regex_cases
from record import FIXTURES, SEED, dump

PATTERNS = 2500
CALLS = 3000


def main(arguments):
    if arguments:
        seed, count = map(int, arguments)
        for case in [*regex_cases.recorded(seed, count // 2), *filter_cases.recorded(seed, count - count // 2)]:
            print(dump(case))
        return
    write("salt-regex", regex_cases.recorded(SEED, PATTERNS))
    write("salt-filters", filter_cases.recorded(SEED, CALLS))


def write(name, cases):
    (FIXTURES / f"{name}.jsonl").write_text("".join(dump(case) + "\n" for case in cases))
    print(f"{name}: {len(cases)} cases", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
