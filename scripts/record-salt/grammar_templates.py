"""Random templates: statements in each other, with whitespace control, over the small context."""
from grammar_expressions import Expressions

TEXT = ["a", " b ", "\n", "\n  ", "text {x} ", "- item\n", "  indented\n", "<p>", "key: ", "\n\n", "\t", "# no tag\n", "100% ", "é☕ ", "x\r\ny", "end"]
OPTIONS = [{}, {}, {}, {"trim_blocks": True}, {"lstrip_blocks": True}, {"trim_blocks": True, "lstrip_blocks": True}, {"trim_blocks": True, "lstrip_blocks": True, "keep_trailing_newline": True}, {"autoescape": True}, {"undefined": "lenient"}, {"undefined": "chainable", "trim_blocks": True}]
FILES = {
    "part": "[part {{ n }}{% if item is defined %} {{ item }}{% endif %}]\n",
    "lib": "{% macro box(x, pad='') -%}\n<{{ pad }}{{ x }}{{ pad }}>\n{%- endmacro %}{% macro wrap() %}({{ caller() }}){% endmacro %}{% set limit = 3 %}{% set sizes = [1, 2] %}",
    "base": "<{% block head %}head {{ n }}{% endblock %}>\n{% block main scoped %}base main{% endblock %}\n{% for i in range(2) %}{% block row scoped %}{{ i }}{% endblock %}{% endfor %}",
}
KINDS = ["int", "str", "list", "dict", "float", "bool"]


def case(rng):
    maker = Templates(rng)
    text = maker.whole()
    options = rng.choice(OPTIONS)
    group = "template"
    if rng.random() < 0.15:
        text, group = _damaged(text, rng), "damaged"
    used = {name: source for name, source in FILES.items() if f"'{name}'" in text}
    made = {"group": group, "t": text}
    if used:
        made["f"] = used
    if options:
        made["o"] = options
    return made


def _damaged(text, rng):
    """What a slip of the finger makes: a character lost, doubled, put in or swapped with the next."""
    for _ in range(rng.choice([1, 1, 2])):
        at = rng.randrange(len(text))
        tags = [i for i in range(len(text)) if text[i] in "{}%|()[]',.:="]
        if tags and rng.random() < 0.8:
            at = rng.choice(tags)
        how = rng.randrange(4)
        if how == 0:
            text = text[:at] + text[at + 1 :]
        elif how == 1:
            text = text[: at + 1] + text[at:]
        elif how == 2:
            text = text[:at] + rng.choice("{}%|()[]'\",.:=-+~!?$ 1a\n") + text[at:]
        else:
            text = text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]
    return text


class Templates:
    def __init__(self, rng):
        self.rng = rng
        self.names = {}
        self.loops = 0
        self.count = 0
        self.macros = []
        self.block_names = ["head", "main", "row", "extra"]

    def whole(self):
        rng = self.rng
        if rng.random() < 0.1:
            blocks = "".join(self.block(2) for _ in range(rng.choice([1, 2])))
            return self.tag("extends 'base'") + self.text() + blocks
        start = self.tag("from 'lib' import box, wrap" + rng.choice(["", " with context"])) if rng.random() < 0.2 else ""
        if start:
            self.macros += [("box", 1)]
        return start + self.body(3, rng.choice([2, 3, 4, 6]))

    def body(self, depth, count):
        before = {kind: list(names) for kind, names in self.names.items()}
        made = "".join(self.statement(depth) for _ in range(count))
        self.names = before if depth < 3 and self.rng.random() < 0.9 else self.names
        return made

    def statement(self, depth):
        rng = self.rng
        simple = [self.text, self.text, self.output, self.output, self.set, self.do, self.comment]
        nested = [self.loop, self.loop, self.condition, self.condition, self.macro, self.set_block, self.filter_block, self.with_block, self.block, self.raw, self.call_block, self.include, self.escape, self.namespace]
        if depth <= 0 or rng.random() < 0.45:
            return rng.choice(simple)()
        return rng.choice(nested)(depth - 1)

    def tag(self, words):
        left, right = self.rng.choice(["{%", "{%", "{%", "{%-", "{%+"]), self.rng.choice(["%}", "%}", "%}", "-%}", "+%}"])
        return f"{left} {words} {right}"

    def expression(self, kind="any", depth=2):
        return Expressions(self.rng, self.names).make(kind, depth)

    def text(self):
        return self.rng.choice(TEXT)

    def comment(self):
        return self.rng.choice(["{# note #}", "{#- note -#}", "{# {{ x }} #}\n", "{#\n#}"])

    def output(self):
        rng = self.rng
        if self.macros and rng.random() < 0.4:
            name, count = rng.choice(self.macros)
            made = f"{name}({', '.join(self.expression() for _ in range(count))})"
        elif self.loops and rng.random() < 0.3:
            made = rng.choice(["loop.index", "loop.first", "loop.last", "loop.length", "loop.revindex0", "loop.cycle('odd', 'even')", "loop.previtem|default('-')", "loop.changed(n)", "loop.depth"])
        else:
            made = self.expression(depth=2)
        left, right = rng.choice(["{{", "{{", "{{", "{{-"]), rng.choice(["}}", "}}", "}}", "-}}"])
        return f"{left} {made} {right}"

    def fresh(self, kind):
        self.count += 1
        name = f"v{self.count}"
        self.names.setdefault(kind, []).append(name)
        return name

    def set(self):
        kind = self.rng.choice(KINDS)
        value = self.expression(kind, 2)
        if self.rng.random() < 0.15:
            other = self.expression("str", 1)
            return self.tag(f"set {self.fresh(kind)}, {self.fresh('str')} = {value}, {other}")
        if self.rng.random() < 0.1:
            return self.tag(f"set n = {self.expression('int', 1)}")
        return self.tag(f"set {self.fresh(kind)} = {value}")

    def do(self):
        return self.tag("do " + self.rng.choice([f"xs.append({self.expression('int', 1)})", f"d.update({{'q': {self.expression(depth=1)}}})", f"words.insert(0, {self.expression('str', 1)})", "xs.sort()", f"d.setdefault('k', []).append({self.expression(depth=1)})" if self.rng.random() < 0.3 else "words.reverse()"]))

    def loop(self, depth):
        rng = self.rng
        self.loops += 1
        saved = {kind: list(names) for kind, names in self.names.items()}
        if rng.random() < 0.3:
            target, source = f"{self.fresh('str')}, {self.fresh('any')}", f"{self.expression('dict', 0)}.items()"
        else:
            kind = rng.choice(["ints", "strs", "list", "dicts", "str"])
            element = {"ints": "int", "strs": "str", "dicts": "dict"}.get(kind, "str")
            source = self.expression(kind, 1)
            target = self.fresh(element)
        condition = f" if {self.expression('bool', 1)}" if rng.random() < 0.2 else ""
        inside = self.body(depth, rng.choice([1, 2, 3]))
        if rng.random() < 0.2:
            inside += self.tag(f"if {self.expression('bool', 1)}") + self.tag(rng.choice(["break", "continue"])) + self.tag("endif") + self.text()
        self.loops -= 1
        self.names = saved
        otherwise = self.tag("else") + self.text() if rng.random() < 0.2 else ""
        return self.tag(f"for {target} in {source}{condition}") + inside + otherwise + self.tag("endfor")

    def condition(self, depth):
        rng = self.rng
        made = self.tag(f"if {self.expression('bool', 2)}") + self.body(depth, rng.choice([1, 2]))
        if rng.random() < 0.3:
            made += self.tag(f"elif {self.expression('bool', 1)}") + self.body(depth, 1)
        if rng.random() < 0.4:
            made += self.tag("else") + self.body(depth, 1)
        return made + self.tag("endif")

    def macro(self, depth):
        rng = self.rng
        self.count += 1
        name = f"m{self.count}"
        parameters = rng.choice(["a", "a, b=2", "a, b=n", "a='x', b=''", "a"])
        saved, loops, self.loops = {kind: list(names) for kind, names in self.names.items()}, self.loops, 0
        self.names.setdefault("str", []).append("a")
        inside = self.body(depth, rng.choice([1, 2])) + "{{ a }}" + ("{{ b }}" if "b" in parameters else "")
        if rng.random() < 0.2:
            inside += "{{ varargs }}{{ kwargs }}"
        self.names, self.loops = saved, loops
        self.macros.append((name, rng.choice([1, 1, 1, 2, 0])))
        return self.tag(f"macro {name}({parameters})") + inside + self.tag("endmacro")

    def call_block(self, depth):
        definition = self.tag("macro w(k=1)") + "<{{ caller(k, n) if k > 1 else caller(k) }}>" + self.tag("endmacro")
        return definition + self.tag(f"call(u, v=0) w({self.rng.choice(['', '2', 'k=3'])})") + "{{ u }}{{ v }}" + self.body(depth, 1) + self.tag("endcall")

    def set_block(self, depth):
        filters = self.rng.choice(["", "", " | upper", " | trim | length", " | indent(2)", " | replace('a', 'b') | title"])
        inside = self.body(depth, 2)
        return self.tag(f"set {self.fresh('str')}{filters}") + inside + self.tag("endset")

    def filter_block(self, depth):
        name = self.rng.choice(["upper", "trim", "indent(2, true)", "replace('a', '4')", "e", "lower|title", "center(9)"])
        return self.tag(f"filter {name}") + self.body(depth, 2) + self.tag("endfilter")

    def with_block(self, depth):
        saved = {kind: list(names) for kind, names in self.names.items()}
        value = self.expression("int", 1)
        head = f"with {self.fresh('int')} = {value}, n = {self.expression('int', 0)}"
        made = self.tag(head) + self.body(depth, 2) + self.tag("endwith")
        self.names = saved
        return made

    def block(self, depth):
        if not self.block_names:
            return self.text()
        name = self.block_names.pop(0)
        scoped = self.rng.choice(["", " scoped"])
        loops, self.loops = self.loops, 0
        saved = self.names
        self.names = {} if not scoped else {kind: list(names) for kind, names in self.names.items()}
        inside = self.body(depth, 2)
        self.names, self.loops = saved, loops
        return self.tag(f"block {name}{scoped}") + inside + self.tag(self.rng.choice(["endblock", f"endblock {name}"]))

    def raw(self, depth):
        return self.tag("raw") + "{{ raw }} {% if %}" + self.text() + self.tag("endraw")

    def include(self, depth):
        return self.tag(self.rng.choice(["include 'part'", "include 'part' with context", "include ['gone', 'part']", "include 'gone' ignore missing", "import 'lib' as lib", "import 'lib' as lib with context"]))

    def escape(self, depth):
        return self.tag(f"autoescape {self.rng.choice(['true', 'false', 'yes'])}") + self.body(depth, 2) + self.tag("endautoescape")

    def namespace(self, depth):
        self.count += 1
        name = f"ns{self.count}"
        loop = self.tag("for q in xs") + self.tag(f"set {name}.total = {name}.total + q") + self.tag("endfor")
        self.names.setdefault("int", []).append(f"{name}.total")
        return self.tag(f"set {name} = namespace(total={self.rng.choice(['0', 'n'])})") + loop
