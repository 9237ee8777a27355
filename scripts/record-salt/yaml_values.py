"""Values to be printed as YAML, and the options to print them with."""
import random

from yaml_documents import SCALARS

STRINGS = [
    *dict.fromkeys(SCALARS), "a b", "a: b", "a:b", "a #b", "a#b", " a", "a ", "  ", " ", "a\nb", "a\n", "\na", "a\n\nb", "a\n b", " a\nb", "a \nb", "\n", "\n\n", "a\tb", "\ta", "a\t", "a\\b", "it's", 'say "x"', "both ' and \"", "'", '"', "''", "-", "- a", "-a", "?", "? a", "?a", ":", ": a", ":a", "a:", "a :", ",", "a, b", "[", "]", "{", "}", "[a]", "{a: 1}", "#", "#a", "&", "&a", "*", "*a", "!", "!a", "|", "|a", ">", ">a", "%", "%a", "@", "@a", "`", "`a", "=", "==", "<<", "~", "null", "é", "naïve café", "☕", "😀", "\u200b", "\u00a0", "a\u00a0b", "\u2028", "a\u2028b", "\u0085", "\x00", "\x07", "\x1b[0m", "\x7f", "\ufeff", "\ue000", "\ud7ff", "\U0010ffff", "---", "--- a", "...", "... a", "a---", "key: [x]", "{{ jinja }}", "{% tag %}", "http://example.com/a?b=c#d", "C:\\path", "/etc/x", "5%", "1 2", "0644", "1_000", "12:30", "2024-01-02", "1e3", ".5", "0x1f", "0o17", "true", "True", "yes", "no", "on", "off", "y", "n", "Y", "N", "x" * 79, "x" * 80, "x" * 100, "word " * 30, "word " * 15 + "end", "a" * 75 + " b c d e", "a b c d e " * 20 + "\n" + "f g h " * 20, ("line one with some words in it\n" * 5), "it's " * 30, 'quote " ' * 20, "é " * 60, "tab\t" * 30, "back\\slash " * 15, ": " * 40, "- " * 45, "# " * 45, "\n".join(["short"] * 10), "trailing spaces   \nnext", "a\r\nb", "a\rb", "\r", "mixed \" and ' with\nnewline", "ends with colon:", "a: ", "0", "-1", "+1", "1.0", "-", "--", "a-", "1-2", "<html>&amp;", "$HOME", "`cmd`", "(x)", "a|b", "a>b", "x=y", "semi;colon", "back`tick", "comma,no space", "colon:no space", "hash#no space", "question?", "ex!", "at@", "percent%", "amp&", "star*", "tilde~",
]


class Values:
    def __init__(self, rng):
        self.rng = rng

    def value(self, depth):
        rng = self.rng
        choice = rng.random()
        if depth > 0 and choice < 0.3:
            return [self.value(depth - 1) for _ in range(rng.choice([0, 1, 2, 3, 5]))]
        if depth > 0 and choice < 0.65:
            return {self.key(): self.value(depth - 1) for _ in range(rng.choice([0, 1, 2, 3, 5]))}
        return self.scalar()

    def scalar(self):
        rng = self.rng
        return rng.choice([rng.choice(STRINGS), rng.choice(STRINGS), rng.choice(["plain", "two words", "x"]), rng.randint(-100, 100000), rng.choice([0, -1, 2**60, 10**25]), rng.choice([1.5, 0.1, -2.0, 1e20, 1e-7, 1e16, float("inf"), float("-inf"), float("nan"), 100.0, 3.14159, 1e300]), True, False, None])

    def key(self):
        rng = self.rng
        return rng.choice([rng.choice(["a", "b", "name", "port", "C", "é", "key two", "1", "yes", "null", "x.y", "/p"]), rng.choice(STRINGS), rng.randint(0, 99), rng.choice([True, None, 1.5, "z"])])


OPTIONS = [
    {"default_flow_style": False},
    {"default_flow_style": False},
    {"default_flow_style": True},
    {"default_flow_style": None},
    {"default_flow_style": False, "sort_keys": False},
    {"default_flow_style": True, "sort_keys": False},
    {"default_flow_style": False, "indent": 4},
    {"default_flow_style": False, "indent": 3, "sort_keys": False},
    {"default_flow_style": False, "width": 40},
    {"default_flow_style": True, "width": 30},
    {"default_flow_style": False, "allow_unicode": True},
    {"default_flow_style": None, "allow_unicode": True, "sort_keys": False},
]


def string_cases():
    for text in dict.fromkeys(STRINGS):
        for wrap in (lambda s: s, lambda s: {"k": s}, lambda s: [s], lambda s: {s: 1}):
            for options in ({"default_flow_style": False}, {"default_flow_style": True}, {"default_flow_style": False, "allow_unicode": True}):
                yield wrap(text), options


BYTES = [b"", b"a", b"hi", b"abc", bytes(range(256)), b"x" * 57, b"x" * 58]


def bytes_cases():
    for value in BYTES:
        for wrap in (lambda b: b, lambda b: {"k": b, "l": 1}, lambda b: [b, [b]], lambda b: {b: b}):
            for options in ({"default_flow_style": False}, {"default_flow_style": True}, {"default_flow_style": None}):
                yield wrap(value), options


def random_cases(seed):
    number = 0
    while True:
        rng = random.Random(f"dump {seed} {number}")
        number += 1
        value = Values(rng).value(rng.choice([1, 2, 3, 3]))
        if rng.random() < 0.1:
            shared = rng.choice([[1, 2], {"a": 1}, [], {}, "text"])
            value = {"one": shared, "two": [shared, shared], "rest": value}
        yield value, rng.choice(OPTIONS)
