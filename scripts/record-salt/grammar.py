"""Random expressions and templates from a seed. They are mostly well typed, so that most say more than "wrong type".

Kept out on purpose: what Python prints with an address, chance (`random`, `lipsum`), and sizes that only burn time.
"""
import random

import grammar_scopes
import grammar_templates
from grammar_expressions import Expressions
from grammar_wild import WILD


def cases(kind, seed):
    """Endless. Each case has its own generator, so that leaving one out does not change the next."""
    number = 0
    while True:
        rng = random.Random(f"{kind} {seed} {number}")
        number += 1
        if kind == "expression":
            yield _expression(rng)
        else:
            yield grammar_scopes.case(rng) if rng.random() < 0.35 else grammar_templates.case(rng)


def _expression(rng):
    expressions = Expressions(rng)
    if rng.random() < 0.5:
        case = {"group": "wild", "t": "{{ " + rng.choice(WILD)(rng, expressions.make) + " }}"}
    else:
        kind = rng.choice(["int", "float", "str", "str", "bool", "list", "list", "dict", "tuple", "any"])
        case = {"group": "expression", "t": "{{ " + expressions.make(kind, rng.choice([2, 3, 3, 4])) + " }}"}
    if rng.random() < 0.1:
        case["t"] = case["t"].replace(" ", "\n", rng.choice([1, 2, 9]))
    if rng.random() < 0.06:
        case["o"] = {"autoescape": True}
    elif rng.random() < 0.06:
        case["o"] = {"undefined": rng.choice(["lenient", "chainable", "debug"])}
    return case
