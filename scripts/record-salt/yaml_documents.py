"""YAML texts: written by hand for what people write and get wrong, and random ones from a seed."""
import random

SCALARS = """~ null Null NULL nULL none None '' "" yes Yes YES yEs no No NO on On ON off Off OFF y Y n N true True TRUE tRUE false False FALSE
0 1 -1 +1 00 007 0644 0755 644 '0644' "0644" 08 09 0o14 0o644 0x1F 0xff 0XFF -0x1f 0b101 -0b11 0b2 0b 0x 1_000 1__0 _1 1_ 0_7 123456789012345678901234567890
1.0 1. .5 -.5 +.5 1.5 1_000.5 1.5_0 1e3 1e+3 1.0e3 1.0e+3 1.5E-3 .5e+1 1.e+2 1.5.2 .inf .Inf .INF -.inf +.inf .iNf inf .nan .NaN .NAN nan -.nan 1,000 1.0.0 ._1 .1_
12:30 1:30:45 -1:30 190:20:30.15 12:30.5 2001-12-14 2001-12-14t21:59:43.10-05:00 2001-12-15T02:59:43Z 2024-1-1 2024-13-45
= <<x a=b a:b a: a#b a# '#' # :a ::a :: http://x.org/y?z=1 C:\\x /a/b ./a ../a ~/a ~a -a - -- --- -- a ... a... *a-b &a-b !a |x >x @x `x %x ?x ? !!str
'a b' "a b" 'it''s' "it's" "\\n\\t\\x41\\u00e9" "\\e\\0\\_\\N" "a\\
b" {{x}} {} [] {a} [a] '{a}' a,b a[0] a{0} $x $(x) ${x} %d 50% 1% é ☕ 😀 "☕" null-ish nullx truex yes! 1a 0a 0xg 1_a 1e 1e+ e1 1-2 1/2 1+1 +a +-1 --1 1- 0.0 -0.0 -0 +0 1E5 1e5 0e0 00.5 0.5.
Infinity NaN undefined nil <none> (a) a) <a> a>b a|b a&b a*b a!b a%b a@b a`b a"b a'b "a'b" 'a"b' .a .. . _ __ - \\n \\ \\\\ ' '""".split()

BY_HAND = [
    "", "\n", "# only a comment\n", "a", "a: 1", "a: 1\nb: 2\n", "- 1\n- 2\n", "a:\n- 1\n- 2\n", "a:\n  - 1\n  - 2\n", "- - 1\n  - 2\n- 3\n", "- a: 1\n  b: 2\n- c\n", "a: {b: 1, c: [1, 2]}\n", "[1, 'a', {b: c}]\n", "{a: 1, b, c: }\n", "[a, , b]\n", "[a, b,]\n", "{a: 1,}\n", "{,}\n", "[,]\n", "a:\n  b:\n    c: d\n", "a: b: c\n", "a: 'b': c\n", "a:b\n", "a :b\n", "a : b\n", "'a': 1\n", "\"a\": 1\n", "\"a\":1\n", "{\"a\":1}\n", "{a:1}\n", "{a: 1, a: 2}\n", "a: 1\na: 2\n", "a:\n  b: 1\n  b: 2\n", "1: a\n1.0: b\n", "yes: a\ntrue: b\n", "yes: a\n1: b\n", "~: a\nnull: b\n", "? a\n: b\n", "? [1, 2]\n: b\n", "? {a: 1}\n: b\n", "? a\n", "{? a : b}\n", "[1, 2]: x\n", "{a: 1}: x\n",
    "a: |\n  one\n  two\n", "a: |-\n  one\n  two\n", "a: |+\n  one\n\n\nb: 1\n", "a: >\n  one\n  two\n\n  three\n", "a: >-\n  one\n  two\n", "a: |2\n   one\n  two\n", "a: |\n  one\n   two\n\n  three\n", "a: >\n  one\n   two\n  three\n", "a: |\n\n  one\n", "a: |\n", "a: >\n\n\n  x\n", "- |\n  x\n- >\n  y\n", "a: | # comment\n  x\n", "a: |x\n  y\n", "a: |1-\n x\n", "a: |-1\n x\n", "a: |0\n x\n", "|\n  top\n", "a: |\n  x\n y: 1\n", "a: |\n    x\n  y\n", "a: >+\n  x\n\n", "a: |\n\tx\n", "a: |\n  x\n\ty\n", "a: >\n  - a\n  - b\n", "a: |\n  # not a comment\n  x # neither\n", "a: >\n  folded\n  # text\n",
    "a: one\n  two\n  three\n", "a: 'one\n  two'\n", "a: \"one\n  two\"\n", "a: \"one\\\n  two\"\n", "a: 'one\n\n  two'\n", "a: one\n\n  two\n", "a\n b: 1\n", "a: 'b'c\n", "a: \"b\" c\n", "a: 'b\n", "a: \"b\n", "a: \"\\q\"\n", "a: \"\\x4\"\n", "a: \"\\u12\"\n", "a: \"\\ud800\"\n", "a: '\\n'\n", "a: \"tab\\there\"\n", "a: 'it''s'\n", "a: \"quote \\\" here\"\n", "a: \"\\/\"\n", "a: \"  spaces  \"\n", "a: '  spaces  '\n", "a:   spaces  \n",
    "a: &x 1\nb: *x\n", "a: &x [1]\nb: *x\nc: *x\n", "b: *x\na: &x 1\n", "a: *nope\n", "a: &x 1\nb: &x 2\nc: *x\n", "&x a: *x\n", "a: &x [*x]\n", "a: &x {b: *x}\n", "a: &x\nb: *x\n", "a: &x {k: 1}\nb:\n  <<: *x\n  z: 2\n", "a: &x {k: 1}\nb:\n  z: 2\n  <<: *x\n", "a: &x {k: 1}\nb:\n  k: 9\n  <<: *x\n", "a: &x {k: 1, l: 1}\nb: &y {k: 2, m: 2}\nc:\n  <<: [*x, *y]\n  n: 3\n", "a: &x {k: 1}\nb: &y {k: 2}\nc:\n  <<: *x\n  <<: *y\n", "b:\n  <<: 1\n", "b:\n  <<: [1]\n", "b:\n  <<: {k: 1}\n  z: 2\n", "b: {<<: {k: 1}, k: 2}\n", "<<: {a: 1}\n", "a: <<\n", "- <<\n", "'<<': {a: 1}\n", "b:\n  <<: []\n", "b:\n  <<: {}\n", "a: &x {k: {d: 1}}\nb: {<<: *x}\nc: {<<: *x, k: {e: 2}}\n", "b:\n  <<:\n", "a: &a-b_c.d 1\nb: *a-b_c.d\n", "a: & 1\n", "a: * 1\n", "a: &x &y 1\n", "a: &x *x\n", "a: *x : 1\n", "&x {a: 1}\n", "&x\na: 1\n", "- &x a\n- *x\n- *x\n", "{a: &x 1, b: *x }\n", "{a: &x 1, b: *x}\n", "[&x 1, *x]\n", "*x : 1\n", "a: &x b\n*x : c\n",
    "a: !!str 1\n", "a: !!int '1'\n", "a: !!float 1\n", "a: !!bool 'yes'\n", "a: !!null ''\n", "a: !!null x\n", "a: !!int x\n", "a: !!bool x\n", "a: !!float x\n", "a: !!str\n", "a: !!str ~\n", "a: !!map {b: 1}\n", "a: !!seq [1]\n", "a: !!map [1]\n", "a: !!seq {a: 1}\n", "a: !!str [1]\n", "a: !!binary aGVsbG8=\n", "a: !!binary |\n  aGVs\n  bG8=\n", "a: !!binary '?'\n", "a: !foo 1\n", "a: !foo {b: 1}\n", "a: !foo [1]\n", "a: !<tag:yaml.org,2002:str> 1\n", "a: !<x> 1\n", "a: ! 1\n", "a: ! x\n", "a: !!foo 1\n", "a: !!python/object:os.system x\n", "a: !!python/tuple [1]\n", "a: !x!y 1\n", "%TAG !e! tag:example.com,2000:\n---\na: !e!foo 1\n", "!!map {a: 1}\n", "a: !!str &x 1\nb: *x\n", "a: &x !!str 1\n", "a: !!int 0x1f\n", "a: !!int 0644\n", "a: !!float 1e3\n", "a: !!float .inf\n", "a: !!int 1.5\n", "a: !!int 1_0\n", "a: !encrypted abc\n",
    "---\na: 1\n", "--- a\n", "--- {a: 1}\n", "---\n", "---\n...\n", "a: 1\n...\n", "a: 1\n---\nb: 2\n", "---\na: 1\n---\n", "--- |\n  x\n", "--- # c\na: 1\n", "%YAML 1.1\n---\na: 1\n", "%YAML 1.2\n---\na: 1\n", "%YAML 2.0\n---\na: 1\n", "%FOO bar\n---\na: 1\n", "%YAML 1.1\na: 1\n", "...\n", "a: 1\n...\nb: 2\n", "# c\n---\n# d\na: 1 # e\n# f\n", "\ufeffa: 1\n", "a: 1\n--- x: 1\n", "---a: 1\n", "--- - a\n", "- ---\n", "a: ---\n", "a: ...\n",
    "\ta: 1\n", "a:\t1\n", "a: \t1\n", "a: 1\t\n", "a: 1\t# c\n", "a:\n\t- 1\n", "- \ta\n", "-\ta\n", "a: b\tc\n", "a: 'b\tc'\n", "{a:\t1}\n", "[1,\t2]\n", "a: 1 \t\n", "\t\n", "a:\n\tb: 1\n", "# c\t\n", "a: |\n  b\tc\n", "a:\n  \tb: 1\n", "a: b\n\tc\n", "a: \"b\n\tc\"\n", "? a\t\n", " \ta\n",
    "a: 1\n b: 2\n", " a: 1\nb: 2\n", "  a: 1\n  b: 2\n", "a:\n  - 1\n - 2\n", "a:\n - 1\n  - 2\n", "- a\n b\n", "- a\n  b\n", "- a\nb: 1\n", "a: 1\n- b\n", "a:\n- b\nc: 1\n", "a:\n  b: 1\n c: 2\n", "a\nb\n", "a\nb: 1\n", "a: 1\nb\n", "a:\n  b\n  c: 1\n", "[1, 2\n", "{a: 1\n", "[1, 2}\n", "{a: 1]\n", "]\n", "}\n", "a: ]\n", "a: [\n", "a: }\n", "[a: 1]\n", "[a: 1, b: 2]\n", "[? a]\n", "[a b, c d]\n", "{a b: c d}\n", "[\n1,\n2\n]\n", "{\na: 1,\nb: 2\n}\n", "a: [1,\n2]\n", "a: [1,\n  2]\nb: 3\n", "a: {b: 1,\nc: 2}\n", "[a, [b, {c: [d]}]]\n", "[a\n b]\n", "{a: b\n c}\n", "[a #c\n, b]\n", "[a#c, b]\n", "[#c\na]\n", "{a: 'b', \"c\": d}\n", "{'a':'b'}\n", "['a':'b']\n", "['a','b']\n", "[a,b]\n", "[a,,b]\n", "{a:b}\n", "{a:b, c}\n", "{a: b:c}\n", "[http://x.y/z, a:b]\n", "{url: http://x.y/z}\n", "[-1, - 1]\n", "[-]\n", "[- a]\n", "[?a]\n", "{?a: 1}\n", "[a?b]\n", "[:a]\n", "{:a: 1}\n", "[::]\n", "{: 1}\n", "{a: }\n", "[{}]\n", "[[]]\n", "[ ]\n", "{ }\n", "{a: [], b: {}}\n",
    "a: @x\n", "a: `x\n", "a: %x\n", "%x\n", "a: !\n", "a: &\n", "a: *\n", "a: |\nb: 1\n", "a: >\nb: 1\n", "a: ?\n", "a: ? b\n", "a: -\n", "a: - b\n", "a: -b\n", "a: :\n", "a: :b\n", "a: ::\n", ": a\n", ":\n", "-\n", "- \n", "- -\n", "- - -\n", "?\n", "? \n: \n", "a: #x\n", "a: b #x\n", "a: b#x\n", "a:#x\n", "#x\na: 1\n", "a: '#x'\n", "a: \"b\" #x\n", "a: \"b\"#x\n", "a: [b] #x\n", "a: [b]#x\n", "a: |\n x\n#y\n", "- #x\n- a\n", "a: # x\n  b\n", "a: # x\n  - b\n", "a: b # x\n  c\n", "a:\n  # x\n  b: 1\n# y\n  c: 2\n", "a: 'b' # it's\n", "a: {b: 1} # }\n",
    "a: {{ x }}\n", "a: '{{ x }}'\n", "a: {% if %}\n", "{{ x }}: 1\n", "a: ${x}\n", "a: $x\n", "a: 'x' 'y'\n", "a: x 'y'\n", "a: 'x'y\n", "a: 5%\n", "a: *.conf\n", "a: '*.conf'\n", "*.conf: 1\n", "- *.conf\n", "a: [*.conf]\n", "a: x*\n", "a: C:\\\\x\n", "a: 12:30\n", "a: 2024-01-02\n", "a: 1.2.3\n", "a: 1.2\n", "version: 1.10\n", "mode: 0644\n", "mode: 644\n", "mode: '0644'\n", "mode: 0o644\n", "on: push\n", "country: NO\n", "port: 080\n", "mac: 00:11:22:33:44:55\n", "sha: 1e10\n", "sha: 12e3456\n", "n: 1,000\n", "time: 1:30\n", "x: 0b12\n", "a: null\nb: Null\nc: ~\nd:\n", "a: .\n", "a: ..\n", "a: =\n", "=: a\n", "- =\n", "a: ==\n", "a: '='\n",
    "nginx:\n  pkg.installed: []\n  service.running:\n    - enable: True\n    - watch:\n      - pkg: nginx\n", "/etc/motd:\n  file.managed:\n    - mode: 0644\n    - contents: |\n        hello\n          there\n\n        end\n", "base:\n  '*':\n    - common\n  'G@os:Debian and web*':\n    - match: compound\n    - web\n", "include:\n  - a.b\n  - .c\n\nextend:\n  x:\n    pkg:\n      - version: '1.0'\n", "cmd:\n  cmd.run:\n    - name: echo 'a: b' | grep -q \"x\" && true\n    - unless: test -f /x\n", "a:\n  - b: c\n    d: e\n  -\n    f: g\n  - - h\n", "a:\r\n  b: 1\r\nc: 2\r\n", "a: 1\rb: 2\r", "é: ü\n☕: 😀\n", "a: \u00a0b\n", "a: b\u00a0\n", "a: \u2028b\n", "a: x\u0085y\n", "a: \x07\n", "a: \x7f\n", "a: \x00\n", "a: \u200b\n", "a: \ufeffb\n", "a: \ufffe\n",
    "a: [\n  1,\n  2\n]\nb: 3\n", "a: {\n  b: 1\n}\n", "a:\n  b: [\n    1\n]\n", "a:\n  - b: {\n    c: 1,\n    d: 2\n  }\n", "a:\n  - b: [\n  1, 2,\n  3\n  ]\n  - c\n", "a:\n    - context: {\n        x: 1,\n        y: [1,\n      2]\n    }\n    - z\n", "a:\n  b: [1, # c\n2]\n", "a:\n  b: [one\ntwo]\n", "a:\n  b: {c: 'x\n  y',\n d: 1}\n", "a:\n  b: [1,\n\n\n2]\n", "a:\n  b: [1\n,2\n,3\n]\n",
    "very long key " + "x" * 200 + ": 1\n", "? " + "x" * 1500 + "\n: 1\n", "x" * 1100 + ": 1\n", "a: " + "word " * 100 + "\n", "[" * 30 + "]" * 30, "{a: " * 20 + "1" + "}" * 20, "- " * 20 + "x\n", "a: |\n" + "  line\n" * 30,
]


def scalar_documents():
    """Every scalar where it can stand."""
    for scalar in dict.fromkeys(SCALARS):
        yield f"a: {scalar}\n"
        yield f"- {scalar}\n- x\n"
        yield f"{scalar}: v\n"
        yield f"[{scalar}, x]\n"
        yield f"{{k: {scalar}}}\n"
        yield scalar


class Documents:
    """Random documents: nested blocks in the styles that people mix."""

    def __init__(self, rng):
        self.rng = rng
        self.anchors = []
        self.count = 0

    def document(self):
        rng = self.rng
        start = rng.choice(["", "", "", "---\n", "# head\n", "\n", "%YAML 1.1\n---\n"])
        text = start + self.block(0, rng.choice([1, 2, 3]))
        if rng.random() < 0.3:
            text = _damaged(text, rng)
        return text

    def block(self, indent, depth):
        rng = self.rng
        kind = rng.choice(["map", "map", "seq"]) if depth > 0 else "map"
        lines = []
        pad = " " * indent
        for _ in range(rng.choice([1, 2, 3])):
            if rng.random() < 0.08:
                lines.append(rng.choice(["", pad + "# note", "# far left"]))
            head = pad + ("- " if kind == "seq" else f"{self.key()}:")
            lines.append(head + self.value(indent, depth, kind))
        return "\n".join(lines) + "\n"

    def key(self):
        self.count += 1
        return self.rng.choice([f"k{self.count}", f"k{self.count}", f"'k {self.count}'", f"\"k{self.count}\"", f"{self.count}", f"a.b{self.count}", f"two words {self.count}", f"/etc/k{self.count}"])

    def value(self, indent, depth, kind):
        rng = self.rng
        gap = "" if kind == "seq" else " "
        choice = rng.random()
        if depth > 0 and choice < 0.35:
            inner = indent + rng.choice([2, 2, 2, 4])
            if kind == "map" and rng.random() < 0.3:
                inner_text = self.sequence(indent, depth - 1)
            elif kind == "seq" and rng.random() < 0.6:
                return self.block(indent + 2, depth - 1).rstrip("\n").lstrip(" ")
            else:
                inner_text = self.block(inner, depth - 1)
            return (self.anchor() or "") + "\n" + inner_text.rstrip("\n")
        if choice < 0.45:
            return gap + (self.anchor(True) or "") + self.flow(2)
        if choice < 0.55:
            return gap + self.block_scalar(indent)
        if choice < 0.6 and self.anchors:
            return gap + "*" + rng.choice(self.anchors)
        return gap + (self.anchor(True) or "") + self.scalar() + rng.choice(["", "", "", " # note", "  "])

    def sequence(self, indent, depth):
        pad = " " * (indent + self.rng.choice([0, 2]))
        return "".join(f"{pad}- {self.scalar()}\n" for _ in range(self.rng.choice([1, 2, 3])))

    def anchor(self, inline=False):
        if self.rng.random() > 0.06:
            return ""
        self.count += 1
        self.anchors.append(f"n{self.count}")
        return f"&n{self.count} " if inline else f" &n{self.count}"

    def scalar(self):
        rng = self.rng
        return rng.choice([rng.choice(SCALARS), str(rng.randint(-1000, 100000)), rng.choice(["plain text", "word", "a, b", "it's fine", "50% off", "x: y" if rng.random() < 0.1 else "x:y", "'quoted: text'", "\"double \\\"q\\\" é\"", "/path/to/file", "user@host", "~/home", "0644", "yes", "null", "1.5", "- dash" if rng.random() < 0.1 else "-dash", "a #b" if rng.random() < 0.5 else "a#b", "''", "{}", "[]", "v1.2.3", "10.0.0.1/24", "*glob" if rng.random() < 0.05 else "glob*"])])

    def flow(self, depth):
        rng = self.rng
        items = rng.choice([0, 1, 2, 3])
        if rng.random() < 0.5:
            inner = [self.flow(depth - 1) if depth > 0 and rng.random() < 0.2 else self.flow_scalar() for _ in range(items)]
            return "[" + rng.choice([", ", ",", " , "]).join(inner) + rng.choice(["", "", ","] if items else [""]) + "]"
        inner = [f"{self.key()}: " + (self.flow(depth - 1) if depth > 0 and rng.random() < 0.2 else self.flow_scalar()) for _ in range(items)]
        return "{" + ", ".join(inner) + "}"

    def flow_scalar(self):
        return self.rng.choice(["a", "1", "'x, y'", "\"z\"", "true", "~", "1.5", "a b", "0x1f", "http://x.org", "'{'", "no", "a:b", "-1", "é"])

    def block_scalar(self, indent):
        rng = self.rng
        pad = " " * (indent + rng.choice([2, 2, 4]))
        lines = [rng.choice(["one line", "  deeper", "", "key: value", "- item", "# text", "trailing  ", "é ☕"]) for _ in range(rng.choice([1, 2, 3, 4]))]
        return rng.choice(["|", ">", "|-", ">-", "|+", ">+"]) + "\n" + "\n".join((pad + line) if line else "" for line in lines)


def _damaged(text, rng):
    for _ in range(rng.choice([1, 1, 2])):
        if not text:
            return text
        at = rng.randrange(len(text))
        how = rng.randrange(3)
        if how == 0:
            text = text[:at] + text[at + 1 :]
        elif how == 1:
            text = text[:at] + rng.choice(" :-[]{},'\"#&*!|>?\n\t") + text[at:]
        else:
            text = text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]
    return text


def random_documents(seed):
    number = 0
    while True:
        yield Documents(random.Random(f"yaml {seed} {number}")).document()
        number += 1
