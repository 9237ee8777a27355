"""Random templates that do little but set, hide and read a few names, in all places where a name can be set."""

NAMES = ["x", "y", "z"]
GIVEN = {"x": "given x"}
FILES = {
    "part": "<part {{ x|default('-') }}{{ y|default('-') }}{% set x = 'part' %}{{ x }}>",
    "lib": "{% set y = 'lib y' %}{% macro m(a='A') %}({{ a }}{{ x|default('-') }}{{ y }}){% endmacro %}{% set x = x|default('no x') ~ '!' %}",
    "base": "[{% block one %}1{{ x|default('-') }}{% endblock %}{% set y = 'base' %}{% block two scoped %}2{{ y|default('-') }}{% endblock %}{% for z in 'pq' %}{% block three scoped %}{{ z }}{% endblock %}{% block four %}{{ z|default('-') }}{% endblock %}{% endfor %}]",
}


def case(rng):
    maker = Scopes(rng)
    text = maker.body(3, rng.choice([3, 5, 7]))
    if rng.random() < 0.2:
        text = "{% extends 'base' %}" + text
    made = {"group": "scopes", "t": text, "c": ["none", GIVEN]}
    used = {name: source for name, source in FILES.items() if f"'{name}'" in text}
    if used:
        made["f"] = used
    if rng.random() < 0.1:
        made["o"] = {"undefined": rng.choice(["lenient", "chainable"])}
    return made


class Scopes:
    def __init__(self, rng):
        self.rng = rng
        self.blocks = ["one", "two", "three", "four"]
        self.count = 0

    def body(self, depth, count):
        return "".join(self.statement(depth) for _ in range(count))

    def name(self):
        return self.rng.choice(NAMES)

    def value(self):
        self.count += 1
        return self.rng.choice([f"'v{self.count}'", f"'v{self.count}'", f"{self.name()}|default('d')", f"({self.name()}|default('d')) ~ '{self.count}'", f"[{self.count}]", "none"])

    def statement(self, depth):
        rng = self.rng
        simple = [self.show, self.show, self.show, self.set, self.set, self.take]
        nested = [self.loop, self.loop, self.condition, self.condition, self.macro, self.call, self.with_block, self.block, self.set_block, self.filter_block, self.namespace]
        if depth <= 0 or rng.random() < 0.5:
            return rng.choice(simple)()
        return rng.choice(nested)(depth - 1)

    def show(self):
        name = self.name()
        return self.rng.choice(["{{ %s|default('-') }} ", "{{ %s|default('-') }} ", "{{ %s is defined }} ", "{{ %s }} " if self.rng.random() < 0.15 else "{{ %s|default('~') }}."]) % name

    def set(self):
        if self.rng.random() < 0.15:
            return "{%% set %s, %s = %s, %s %%}" % (self.name(), self.name(), self.value(), self.value())
        return "{%% set %s = %s %%}" % (self.name(), self.value())

    def take(self):
        return self.rng.choice(["{% include 'part' %}", "{% include 'part' with context %}", "{% import 'lib' as " + self.name() + " %}", "{% import 'lib' as lib with context %}{{ lib.m() }}{{ lib.x }}", "{% from 'lib' import x %}", "{% from 'lib' import x as " + self.name() + " with context %}", "{% from 'lib' import m, y %}{{ m() }}", "{% from 'lib' import m with context %}{{ m('B') }}"])

    def loop(self, depth):
        rng = self.rng
        target = rng.choice([self.name(), self.name(), self.name(), "%s, %s" % tuple(rng.sample(NAMES, 2))])
        source = rng.choice(["'ab'", "[1, 2]", "['q']", "[]", f"[{self.value()}]"]) if "," not in target else rng.choice(["[('k', 'v')]", "{'k': 1}.items()", "['ab', 'cd']"])
        condition = rng.choice(["", "", "", f" if {self.name()} is defined", f" if {target.split(',')[0]}"])
        extra = rng.choice(["", "", "{{ loop.index }}", "{% if loop.first %}{% continue %}{% endif %}", "{% if loop.last %}{% break %}{% endif %}"])
        otherwise = "{% else %}" + self.body(depth, 1) if rng.random() < 0.3 else ""
        inside = extra + self.body(depth, rng.choice([1, 2, 3]))
        return "{%% for %s in %s%s %%}%s%s{%% endfor %%}" % (target, source, condition, inside, otherwise)

    def condition(self, depth):
        test = self.rng.choice([f"{self.name()} is defined", "true", "false", f"{self.name()}|default(false)", f"{self.name()} is undefined"])
        otherwise = "{% else %}" + self.body(depth, 1) if self.rng.random() < 0.5 else ""
        middle = "{%% elif %s is defined %%}%s" % (self.name(), self.body(depth, 1)) if self.rng.random() < 0.2 else ""
        return "{%% if %s %%}%s%s%s{%% endif %%}" % (test, self.body(depth, self.rng.choice([1, 2])), middle, otherwise)

    def macro(self, depth):
        self.count += 1
        name = self.rng.choice(["m1", "m2", self.name()])
        parameters = self.rng.choice(["", self.name(), f"{self.name()}='p'", f"{self.name()}={self.name()}|default('p')", "a, b=a"])
        call = self.rng.choice(["{{ %s('arg') }}", "{{ %s() }}"]) % name if self.rng.random() < 0.8 else ""
        before = call if self.rng.random() < 0.1 else ""
        return before + "{%% macro %s(%s) %%}(%s%s){%% endmacro %%}%s" % (name, parameters, self.body(depth, 2), self.rng.choice(["", "{{ varargs }}"]), call)

    def call(self, depth):
        wrapper = "{%% macro w(%s) %%}{%% set z = 'in w' %%}<{{ caller(%s) }}>{%% endmacro %%}" % (self.rng.choice(["", "y='wy'"]), self.rng.choice(["", "'c'"]))
        return wrapper + "{%% call%s w() %%}%s{%% endcall %%}" % (self.rng.choice(["", f"({self.name()}='cd')"]), self.body(depth, 2))

    def with_block(self, depth):
        return "{%% with %s = %s, %s = %s %%}%s{%% endwith %%}" % (self.name(), self.value(), self.name(), self.value(), self.body(depth, 2))

    def block(self, depth):
        if not self.blocks:
            return self.show()
        name = self.blocks.pop(self.rng.randrange(len(self.blocks)))
        scoped = self.rng.choice(["", " scoped"])
        parent = self.rng.choice(["", "", "{{ super() }}" if self.rng.random() < 0.3 else "", "{{ self.one() }}" if name == "two" and self.rng.random() < 0.3 else ""])
        return "{%% block %s%s %%}%s%s{%% endblock %%}" % (name, scoped, parent, self.body(depth, 2))

    def set_block(self, depth):
        return "{%% set %s%s %%}%s{%% endset %%}" % (self.name(), self.rng.choice(["", " | upper"]), self.body(depth, 2))

    def filter_block(self, depth):
        return "{%% filter %s %%}%s{%% endfilter %%}" % (self.rng.choice(["upper", "trim"]), self.body(depth, 2))

    def namespace(self, depth):
        name = self.name()
        return "{%% set %s = namespace(v=0) %%}{%% for q in [1, 2] %%}{%% set %s.v = %s.v + q %%}{%% endfor %%}{{ %s.v }}" % (name, name, name, name)
