"""Random expressions by the type they should have. `{int}` in a pattern is replaced by an expression of that type."""
import re

LEAVES = {
    "int": ["n", "zero", "neg", "big", "1", "2", "3", "10", "255", "-1", "0", "conf.port", "users[0].age", "xs[0]", "t[1]", "d.a", "d['b']", "1_000", "0x1f", "9007199254740993"],
    "float": ["f", "third", "0.5", "2.0", "1e3", "1.25", "0.1", "-2.5", "100.0", "1e16", "2.675"],
    "str": ["s", "name", "empty", "text", "uni", "html", "'a'", "'Hello'", "\"it's\"", "'a,b,,c'", "'  pad '", "'x=1'", "'42'", "'3.5'", "words[0]", "users[1].name", "conf.tls.cert", "'%s'", "'ÄÖ ß'", "'tab\\there'", "'a' 'b'", "''", "'-7'", "'Ångström'", "'a.b.c'"],
    "bool": ["yes", "no", "true", "False", "conf.tls.on", "users[0].admin"],
    "none": ["none", "nothing", "None"],
    "list": ["xs", "words", "mixed", "nested", "[]", "[1, 2, 3]", "['b', 'a', 'C']", "[1, 1, 2]", "conf.hosts", "users[0].langs", "[true, none]", "[[1, 'x'], [0, 'y']]", "[0.5, 1]", "['10', '9']"],
    "ints": ["xs", "[1, 2, 3]", "[5, 5, 0]", "[n, neg]", "t", "range(4)", "range(2, 9, 3)", "[10, -1, 3]"],
    "strs": ["words", "['b', 'a', 'C']", "conf.hosts", "['x']", "['', 'a']", "s.split()", "['10', '9', '1']"],
    "dicts": ["users", "[{'name': 'q', 'age': 1, 'city': 'Z'}]", "users[:2]", "users|sort(attribute='age')", "users|rejectattr('admin')|list"],
    "dict": ["d", "conf", "{}", "{'k': 'v'}", "{'a': 1, 'b': [2]}", "users[0]", "intkeys", "conf.tls", "{1: 2, 'x': none}", "tricky", "dict(a=1)"],
    "tuple": ["t", "t1", "(1, 'a')", "()", "(1,)", "('x', (2, 3))", "d|dictsort|first"],
    "missing": ["missing", "d.nope", "xs[9]", "conf.tls.nope", "users[7]", "('x' if no)"],
}
SIMPLE = ["int", "float", "str", "bool", "none", "list", "dict", "tuple"]

PATTERNS = {
    "int": ["{int} + {int}", "{int} - {int}", "{int} * {small}", "{int} // {nonzero}", "{int} % {nonzero}", "{small} ** {tiny}", "-{int}", "({int})", "{str}|length", "{list}|length", "{dict}|length", "{int}|abs", "{str}|int", "{float}|int", "{str}|int({int})", "{ints}|sum", "{ints}|max", "{ints}|min", "{ints}|first", "{ints}|last", "{str}.count({char})", "{str}.find({char})", "{list}.count({any})", "{str}|wordcount", "{int} if {bool} else {int}", "{int} or {int}", "{dict}.get({char}, {int})", "{float}|round|int", "{bool} + {int}", "{strs}|map('length')|sum", "{dicts}|sum(attribute='age')", "{missing}|default({int})", "{ints}|sort|first", "{int}.bit_length()", "{dicts}|map(attribute='age')|max", "'%d'|format({int})|int", "{list}.index({any})"],
    "float": ["{float} + {int}", "{int} / {nonzero}", "{float} * {float}", "{float} - {float}", "{float} // {nonzero}", "{float} % {nonzero}", "{small} ** 0.5", "{float}|round({tiny})", "{float}|round({tiny}, 'floor')", "{float}|round(1, 'ceil')", "{str}|float", "{int}|float", "-{float}", "{float}|abs", "[{float}, {int}]|max", "{float} if {bool} else {float}", "{float} ** 2", "({float} + {float}) / 2"],
    "str": ["{str} + {str}", "{str} ~ {any}", "{any} ~ {any} ~ {any}", "{str} * {tiny}", "{str}[{small}]", "{str}[{tiny}:]", "{str}[:{int}]", "{str}[::-1]", "{str}[{int}:{int}:{nonzero}]", "{str}|upper", "{str}|lower", "{str}|title", "{str}|capitalize", "{str}|trim", "{str}|replace({char}, {str})", "{str}|replace({char}, {str}, {tiny})", "{list}|join({char})", "{strs}|join(', ')", "{dicts}|join('/', attribute='name')", "{any}|string", "{any}|tojson", "{str}|e", "{str}|indent({tiny})", "{str}|indent({tiny}, true, {bool})", "{str}|center({small})", "{str}|truncate({small}, {bool}, '.', 0)", "{str}|wordwrap({small})", "{str}|reverse", "{str}|first", "{str}|last", "{str}|urlencode", "{str}|striptags", "{int}|filesizeformat", "{int}|filesizeformat(true)", "{missing}|default({str})", "{str}|default({str}, true)", "{str}.upper()", "{str}.title()", "{str}.strip()", "{str}.strip({char})", "{str}.lstrip({char})", "{str}.replace({char}, {str})", "{str}.zfill({small})", "{str}.ljust({small}, '.')", "{str}.rjust({small})", "{str}.center({small}, '*')", "{str}.join({strs})", "{str}.swapcase()", "{str}.capitalize()", "{str}.removeprefix({char})", "{str}.expandtabs(4)", "'%s-%s' % ({any}, {any})", "'%5d|%-5d|%05d' % ({int}, {int}, {int})", "'%.2f' % {float}", "'%r' % ({any},)", "'%x %o' % ({int}, {int})", "'%s' % {str}", "'%(a)s %(b)s' % d", "'{} {}'.format({any}, {any})", "'{:>8}|{:<6}'.format({str}, {int})", "'{:.3f} {:e}'.format({float}, {float})", "'{:05d} {:x} {:,}'.format({int}, {int}, {int})", "'{0} {1} {0}'.format({any}, {any})", "'{a} {b!r}'.format(a={any}, b={any})", "{str} if {bool} else {str}", "{str}|format({any}, {any})", "{str}|list|join('-')", "{strs}|sort|join", "{any}|pprint", "{dict}|xmlattr", "{str}|urlize", "{list}|map('string')|join('+')", "{str}.partition({char})[0]", "{str}.split({char})[0]", "{str}.casefold()", "{float}|string", "{strs}|max", "{strs}|first"],
    "bool": ["{int} == {int}", "{any} == {any}", "{any} != {any}", "{int} < {int}", "{float} >= {int}", "{str} < {str}", "{int} < {int} < {int}", "{any} in {list}", "{char} in {str}", "{char} not in {dict}", "{bool} and {bool}", "{bool} or {bool}", "not {any}", "not {bool}", "{any} is string", "{any} is number", "{any} is mapping", "{any} is sequence", "{any} is iterable", "{any} is none", "{missing} is defined", "{missing} is undefined", "{any} is defined", "{int} is odd", "{int} is even", "{int} is divisibleby {nonzero}", "{str} is upper", "{str} is lower", "{any} is true", "{any} is false", "{any} is boolean", "{any} is integer", "{any} is float", "{any} is callable", "{any} is not none", "{int} is in {ints}", "{int} is gt {int}", "{str}.startswith({char})", "{str}.endswith({char})", "{str}.isdigit()", "{str}.isalpha()", "{str}.isalnum()", "{str}.isupper()", "{str}.istitle()", "{str}.isspace()", "{list} == {list}", "{list} < {list}", "{tuple} == {tuple}", "{any} is sameas {none}", "{any} is eq {any}", "{str} is filter", "({any}) is escaped", "{dict} == {dict}"],
    "list": ["{list} + {list}", "{list} * {tiny}", "{list}[{tiny}:]", "{list}[::-1]", "{list}[:{int}]", "{list}[{int}::{nonzero}]", "{ints}|sort", "{strs}|sort", "{strs}|sort(case_sensitive=true)", "{ints}|sort(reverse={bool})", "{strs}|map('upper')|list", "{list}|map('string')|list", "{strs}|map('length')|list", "{dicts}|map(attribute='name')|list", "{dicts}|selectattr('age', 'gt', {int})|map(attribute='name')|list", "{list}|select|list", "{list}|reject|list", "{ints}|select('odd')|list", "{ints}|reject('gt', {int})|list", "{list}|select('string')|list", "{list}|select('number')|list", "{list}|reverse|list", "{list}|unique|list", "{strs}|unique(true)|list", "{str}|list", "{str}.split()", "{str}.split({char})", "{str}.split({char}, {tiny})", "{str}.rsplit({char}, 1)", "{str}.splitlines()", "{dict}|list", "{dict}.keys()|list", "{dict}.values()|list", "{dict}.items()|list", "{dict}|dictsort", "{dict}|dictsort(false, 'value', {bool})", "{list}|batch({small1})|list", "{list}|batch({small1}, {any})|list", "{list}|slice({small1})|list", "{tuple}|list", "range({tiny})|list", "range({tiny}, {small})|list", "[{any}, {any}]", "[{any}]", "[{int}, {int}, {int}]", "{list}.copy()", "{list} if {bool} else {list}", "{list} or {list}", "{dicts}|groupby('city')|map('first')|list", "{dicts}|groupby('city')|map(attribute='list')|map('length')|list", "{list}|list", "{missing}|default({list})", "{ints}|map('float')|list", "{dicts}|map(attribute='nope', default={any})|list", "{str}|batch({small1})|map('join')|list", "{dicts}|sort(attribute='city,age')|map(attribute='name')|list", "{dict}|items|list", "{list}|map('default', {any})|list"],
    "dict": ["dict({dict}, z={any})", "dict(a={any}, b={any})", "{'k': {any}, 'l': {any}}", "{{char}: {any}}", "{dict} if {bool} else {dict}", "{dict}.copy()", "dict({dict}.items())", "{int}|default({dict})", "{missing}|default({dict})", "{dict} or {dict}", "dict([('q', {any})])", "{1: {any}, none: {any}}", "{({int}, {int}): {any}}", "dict.fromkeys({strs}, {any})"],
    "tuple": ["({any}, {any})", "({any},)", "{tuple} + {tuple}", "{tuple}[{tiny}:]", "{tuple} * {tiny}", "{dict}|dictsort|first", "{str}.partition({char})", "{str}.rpartition({char})", "{tuple} if {bool} else {tuple}"],
    "none": ["{none} if {bool} else {none}", "{dict}.get({char})", "nil()"],
}
SMALL = {
    "small": ["3", "5", "8", "n", "12", "1", "20"],
    "small1": ["1", "2", "3", "4"],
    "tiny": ["0", "1", "2", "3", "-1"],
    "nonzero": ["2", "3", "-2", "7", "n", "neg", "0.5", "zero"],
    "char": ["'a'", "'o'", "' '", "','", "'l'", "'b'", "'name'", "''", "'A'", "'é'", "'='", "'k'"],
}


class Expressions:
    def __init__(self, rng, names=None):
        self.rng = rng
        # Names that a template has set so far, by type.
        self.names = names or {}

    def make(self, kind, depth):
        rng = self.rng
        if kind in SMALL:
            return rng.choice(SMALL[kind])
        if rng.random() < 0.015:
            kind = "missing"
        elif rng.random() < 0.04:
            kind = rng.choice(SIMPLE)
        if kind == "any":
            kind = rng.choice(SIMPLE)
        own = self.names.get(kind)
        if own and rng.random() < 0.4:
            return rng.choice(own)
        if depth <= 0 or kind not in PATTERNS or rng.random() < 0.15:
            return rng.choice(LEAVES[kind])
        pattern = rng.choice(PATTERNS[kind])
        made = re.sub(r"\{([a-z]+\d?)\}", lambda hole: self.operand(hole, pattern, depth - 1), pattern)
        return f"({made})" if rng.random() < 0.1 else made

    def operand(self, hole, pattern, depth):
        """Parentheses where a binding would not be what the pattern means; sometimes left out, to see just that."""
        kind = hole.group(1)
        if kind not in SMALL and kind not in LEAVES and kind != "any":
            return hole.group(0)
        made = self.make(kind, depth)
        alone = hole.group(0) == pattern or not re.search(r"[\s|~*/%+-]", made)
        before, after = pattern[: hole.start()], pattern[hole.end() :]
        enclosed = before.endswith(("(", ", ", "[", ": ", "=")) and after.startswith((")", ",", "]", "}", ":"))
        if alone or enclosed or self.rng.random() < 0.2:
            return made
        return f"({made})"
