"""Random expressions and templates from a seed. They are mostly well typed, so that most say more than "wrong type".

Kept out on purpose: what Python prints with an address, chance (`random`, `lipsum`), and sizes that only burn time.
"""
import random

import grammar_templates
from grammar_expressions import Expressions


def cases(kind, seed):
    """Endless. Each case has its own generator, so that leaving one out does not change the next."""
    number = 0
    while True:
        rng = random.Random(f"{kind} {seed} {number}")
        number += 1
        yield _expression(rng) if kind == "expression" else grammar_templates.case(rng)


def _expression(rng):
    expressions = Expressions(rng)
    kind = rng.choice(["int", "float", "str", "str", "bool", "list", "list", "dict", "tuple", "any"])
    case = {"group": "expression", "t": "{{ " + expressions.make(kind, rng.choice([2, 3, 3, 4])) + " }}"}
    if rng.random() < 0.06:
        case["o"] = {"autoescape": True}
    elif rng.random() < 0.06:
        case["o"] = {"undefined": rng.choice(["lenient", "chainable", "debug"])}
    return case
