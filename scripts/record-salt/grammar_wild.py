"""Expressions that are often wrong: calls with any arguments, format specifications of all sorts, odd escapes."""
from cases_methods import DICT, FLOAT, INT, LIST, STR, TUPLE
from cases_filters import FILTERS
from cases_tests import TESTS

# Chance, and what walks into Python's own machinery and prints addresses.
NOT_CALLED = {"random", "pprint", "maketrans", "translate", "encode", "from_bytes", "to_bytes"}
METHODS = {"str": STR, "list": LIST, "dict": DICT, "tuple": TUPLE, "int": INT, "float": FLOAT}
ATTRIBUTES = {"real", "imag", "numerator", "denominator"}
KEYWORDS = ["sep", "maxsplit", "default", "attribute", "reverse", "case_sensitive", "width", "first", "blank", "precision", "method", "count", "start", "boolean", "default_value", "by", "fill_with", "linecount", "length", "killwords", "end", "leeway", "base", "indent", "key", "old", "new", "nope"]
WORD_TESTS = [name for name in TESTS if name.isalpha()]


def method_call(rng, make):
    kind = rng.choice(list(METHODS))
    name = rng.choice([name for name in METHODS[kind] if name not in NOT_CALLED])
    target = make(kind, 1)
    if name in ATTRIBUTES:
        return f"({target}).{name}"
    return f"({target}).{name}({arguments(rng, make, 3)})"


def filter_call(rng, make):
    name = rng.choice([name for name in FILTERS if name not in NOT_CALLED])
    given = arguments(rng, make, 3) if rng.random() < 0.75 else None
    call = name if given is None else f"{name}({given})"
    return f"({make('any', 2)})|{call}" + rng.choice(["", "|list", "|string|length"] if rng.random() < 0.5 else [""])


def test_call(rng, make):
    name = rng.choice(WORD_TESTS)
    given = f"({arguments(rng, make, 2)})" if rng.random() < 0.6 else ""
    return f"({make('any', 2)}) is {rng.choice(['', 'not '])}{name}{given}"


def arguments(rng, make, most):
    given = [make(rng.choice(["any", "int", "str", "small", "char", "bool"]), 1) for _ in range(rng.randint(0, most))]
    if rng.random() < 0.2:
        given.append(f"{rng.choice(KEYWORDS)}={make('any', 1)}")
    if rng.random() < 0.06:
        given.append(f"*{make(rng.choice(['list', 'tuple', 'str', 'any']), 0)}")
    if rng.random() < 0.05:
        given.append(f"**{make(rng.choice(['dict', 'any']), 0)}")
    return ", ".join(given)


def format_call(rng, make):
    spec = "".join([
        rng.choice(["", "", "", "*", "0", "é", " "]) + rng.choice(["<", ">", "^", "="]) if rng.random() < 0.5 else "",
        rng.choice(["", "", "", "+", "-", " "]), rng.choice(["", "", "", "#"]), rng.choice(["", "", "0"]),
        rng.choice(["", "", "1", "5", "12"]), rng.choice(["", "", "", ",", "_"]), rng.choice(["", "", ".0", ".2", ".10"]),
        rng.choice(["", "", "d", "f", "s", "e", "g", "G", "x", "X", "o", "b", "c", "%", "n", "E", "F", "q"]),
    ])
    field = rng.choice(["", "", "0", "1", "a", "0[0]", "a[b]", "0.real", "!r", "0!s", "!a"])
    return f"'<{{{field}:{spec}}}>'.format({make('any', 1)}, a={make('any', 1)})"


def percent(rng, make):
    spec = "".join([
        rng.choice(["", "", "", "(a)", "(b)"]), rng.choice(["", "", "-", "+", " ", "0", "#", "-0", "+ "]), rng.choice(["", "", "1", "6", "12", "*"]),
        rng.choice(["", "", ".0", ".3", ".12", ".*", "."]), rng.choice(list("diouxXeEfFgGcrsa%") + ["l", "z", "hd", ""]),
    ])
    right = rng.choice([make("any", 1), f"({make('any', 1)},)", f"({make('int', 1)}, {make('any', 1)})", "d", make("float", 1), make("int", 1)])
    return f"'<%{spec}>' % {right}"


def literal(rng, make):
    pieces = ["a", "\\n", "\\t", "\\\\", "\\'", "\\x41", "\\u00e9", "\\d", "\\101", "\\8", "\\x4", "é", "😀", "\\\n", " ", "\\U0001f600", "{", "%", "\\r", "\\u12", "\\"]
    text = "".join(rng.choice(pieces) for _ in range(rng.randint(0, 5)))
    number = rng.choice(["0", "1", "12", "1_0", "0x1_f", "0b1", "0o7", "1.5", "1e5", "1.5e-3", "1e400", "00", "01", "1__0", "1.", ".5", "1_", "0x", "123456789012345678901234567890"])
    return rng.choice([f"'{text}'", f"'{text}'|tojson", f"['{text}']", f"'{text}' '{text}'", number, f"-{number}", f"{number}.real", f"[{number}, {number}]"])


def operator_mix(rng, make):
    operators = ["+", "-", "*", "/", "//", "%", "**", "~", "==", "!=", "<", "<=", ">", ">=", "in", "not in", "and", "or", "is", "|"]
    count = rng.choice([1, 2, 2, 3])
    made = rng.choice(["", "", "-", "not ", "+"]) + make("any", 0)
    for _ in range(count):
        operator = rng.choice(operators)
        if operator == "is":
            made += f" is {rng.choice(WORD_TESTS)}"
        elif operator == "|":
            made += f"|{rng.choice(['string', 'list', 'abs', 'length', 'first', 'int', 'sort', 'upper'])}"
        elif operator in ("**", "*"):
            made += f" {operator} {rng.choice(['0', '1', '2', '3', '-1', '0.5', 'none', 'empty', 'no'])}"
        else:
            made += f" {operator} {rng.choice(['', '', '', '-', 'not ' if operator in ('and', 'or') else ''])}{make('any', 0)}"
    return made


def access(rng, make):
    made = make(rng.choice(["any", "dict", "list", "str", "tuple"]), 0)
    made = f"({made})" if rng.random() < 0.3 else made
    for _ in range(rng.choice([1, 1, 2, 3])):
        made += rng.choice([
            f".{rng.choice(['a', 'name', 'items', 'keys', 'nope', 'count', 'port', 'tls', 'langs', '0', '1', 'upper', 'real', '_x', '__class__'])}",
            f"[{make('any', 0)}]", f"[{make('int', 0)}]", f"[{make('char', 0)}]", f"[{make('tiny', 0)}:{make('tiny', 0)}]", f"[::{make('tiny', 0)}]", "()" if rng.random() < 0.3 else "[0]", f"[{make('any', 0)}:]",
        ])
    return made + rng.choice(["", "", "|default('-')", " is defined"])


WILD = [method_call, method_call, filter_call, filter_call, test_call, format_call, percent, literal, operator_mix, operator_mix, access]
