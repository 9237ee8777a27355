"""Whole files in the style of Salt formulas, from formulas/*.txt, for every machine and with several environment options.

A skeleton's first part is the file itself; further parts follow `==== name`. `@{a||b}@` stands for one of the texts: the
variant's number picks which.
"""
import re
from pathlib import Path

from machines import MACHINES

FOLDER = Path(__file__).parent / "formulas"
LINES_MIN = 40
OPTIONS = [{}, {"trim_blocks": True, "lstrip_blocks": True}, {"trim_blocks": True}, {"keep_trailing_newline": True}, {"lstrip_blocks": True}]
VARIANTS = 2


def formula_cases():
    for number, path in enumerate(sorted(FOLDER.glob("*.txt"))):
        for index, machine in enumerate(MACHINES):
            for variant in range(VARIANTS):
                yield case(path, machine, index + variant, OPTIONS[(number + index + variant * 3) % len(OPTIONS)])


def case(path, machine, variant, options):
    main, *others = path.read_text().split("\n==== ")
    if main.count("\n") < LINES_MIN - 1:
        raise ValueError(f"{path.name}: a whole file has {LINES_MIN} lines or more")
    if path.stem.endswith("line-statements"):
        options = {**options, "line_statement_prefix": "%%", "line_comment_prefix": "%#"}
    made = {"group": f"formula:{path.stem}", "t": chosen(main, variant), "c": machine}
    if others:
        made["f"] = {name: chosen(text, variant) for name, text in (part.split("\n", 1) for part in others)}
    if options:
        made["o"] = options
    return made


def chosen(text, variant):
    return re.sub(r"@\{(.*?)\}@", lambda found: (texts := found.group(1).split("||"))[variant % len(texts)], text)
