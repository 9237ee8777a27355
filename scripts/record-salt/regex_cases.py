"""Patterns and texts by chance, and what Python's `re` finds: the oracle of our regular expressions."""
import random
import re
import warnings

LETTERS = [
    "a", "b", "c", "B", "1", "_", "-", " ", "\n", "é", "É", "ü", "ß", "ſ", "s", "\u212a", "k", "i", "I", "İ", "ı",
    "٣", "Ω", "σ", "ς", "\U0001d400", "😀", "中", "\u00a0", "\x1c",
]
ESCAPES = [
    r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", r"\n", r"\.", r"\t", r"\x61", r"\u00e9", r"\-", r"\141", r"\0",
]
IN_BRACKETS = ["a-c", "0-9", "A-Z", "à-ÿ", r"\w", r"\s", r"\d", r"\W", "^", "-", r"\]", r"\n", "Α-ω"]
PLACES = ["^", "$", r"\b", r"\B", r"\A", r"\Z", "$", r"\b"]
REPEATS = ["*", "+", "?", "{2}", "{,2}", "{1,}", "{0,1}", "*?", "+?", "??", "{,}", "{1,2}?"]
GROUPS = ["(%s)", "(?:%s)", "(%s)", "(?:%s)", "(?i:%s)", "(?-i:%s)", "(?s:%s)", "(?a:%s)", "(?m:%s)"]
TEXTS = [
    "", "a", "ab", "\n", "a\n", "a\n\n", "a\nb\n", "ab ab", "aé", "éa b", "é\n", "s ſ S", "k \u212a K", "iIıİ", "a1_",
    "٣a", "Ωσς", "\U0001d400a 😀", "ß b-c", "中a",
]
# Each mistake that Python names, and what is easily mistaken for one.
BY_HAND = [
    "(", "[", ")", "\\", "{", "*", "?", "(?", "(?P", "(?P<", "(?P<a", "(?P<1>a)", "(?x", "(?z)", "(?i", "a{2,1}",
    "[b-a]", "[\\w-a]", "\\p", "\\x1", "\\u12", "\\8", "(a)\\2", "(?i)a(?i)", "a**", "(?#x", "(?P=q)", "(?-:a)",
    "(?i-i:a)", "(?ai:b)", "(?au:b)", "(?L:a)", "(?<a>b)", "{2}", "^*", "\\b+", "[]", "[^]", "[]]", "[^]]", "(?:)*",
    "(?x) a b # c\n d", "(?x)[ ]a", "a {2}", "(?x)a {2}", "(?P<a>b)(?P<a>c)", "\\400", "[\\400]", "[\\8]", "\\Q",
    "\\z", "\\pL", "[[:alpha:]]", "(?i)(?m)a$", "a(?#c)*", "(?s-i:.)", "(?i-s:.)", " (?i)a", "(?x) (?i)a", "(?P<é>a)",
    "\\N{DIGIT ONE}", "x{1", "x{", "x{}", "x{,", "x{,3}", "x{a}", "x{2}{3}", "x*+", "(?>a)", "(?=a)", "(?<!a)",
    "(?(1)a)", "(?P>x)", "(?P<>a)", "(?P=", "(?P=)", "(a\\1)", "\\U00110000", "(?P<a b>c)", "(?P<a'b>c)", "\n(",
    "(?i:", "(?i-", "(?i-a:b)", "(?i-z:b)", "(?i-)", "(?iz)", "[a", "[a-", "[\\", "a\\", "(a)\\1", "(?P<n>a)(?P=n)",
    "(a*)*", "(?:a*)*", "|a", "a*?", "web$", "^web-\\d+$", "[^\\W\\d_]+", "\\bé", "a$\n", "(?m)^a$", "(?m:^a)b$",
]
BITS = {"i": re.I, "m": re.M, "s": re.S, "a": re.A}


class Patterns:
    def __init__(self, seed):
        self.chance = random.Random(seed)

    def letter(self):
        return self.chance.choice(LETTERS[:9] if self.chance.random() < 0.6 else LETTERS)

    def brackets(self):
        parts = [
            self.letter() if self.chance.random() < 0.5 else self.chance.choice(IN_BRACKETS)
            for _ in range(self.chance.randint(1, 4))
        ]
        return "[" + self.chance.choice(["", "", "^"]) + "".join(parts) + "]"

    def atom(self, depth):
        kind = self.chance.random()
        if kind < 0.4:
            letter = self.letter()
            return re.escape(letter) if self.chance.random() < 0.8 else letter
        if kind < 0.55:
            return self.chance.choice(ESCAPES)
        if kind < 0.65:
            return self.brackets()
        if kind < 0.72:
            return "."
        if kind < 0.84:
            return self.chance.choice(PLACES)
        if depth <= 0:
            return "a"
        named = f"(?P<n{self.chance.randint(0, 99)}>%s)"
        return self.chance.choice([*GROUPS, named]) % self.pattern(depth - 1)

    def sequence(self, depth):
        return "".join(
            self.atom(depth) + (self.chance.choice(REPEATS) if self.chance.random() < 0.3 else "")
            for _ in range(self.chance.randint(0 if depth < 2 else 1, 4))
        )

    def pattern(self, depth):
        return "|".join(self.sequence(depth) for _ in range(1 if self.chance.random() < 0.7 else 2))

    def mistaken(self, pattern):
        at = self.chance.randrange(len(pattern) + 1)
        return pattern[:at] + self.chance.choice("()[]{}*+?\\|^$.-,1a") + pattern[at:]

    def cases(self):
        for pattern in BY_HAND:
            yield self.case(pattern, "")
        while True:
            pattern = self.pattern(2)
            if self.chance.random() < 0.12:
                pattern = self.mistaken(pattern)
            if self.chance.random() < 0.1:
                pattern = f"(?{self.chance.choice(['i', 'm', 's', 'a', 'x', 'im'])}){pattern}"
            yield self.case(pattern, self.chance.choice(["", "", "", "i", "m", "im", "s", "a", "ai"]))

    def case(self, pattern, flags):
        own = "".join(self.letter() for _ in range(self.chance.randint(1, 8)))
        return {"p": pattern, "f": flags, "t": [*self.chance.sample(TEXTS, 5), own]}


def recorded(seed, count):
    """As many as asked for, each with the matches in every text, or with the error."""
    kept = {}
    for case in Patterns(seed).cases():
        if len(kept) == count:
            break
        key = (case["p"], case["f"])
        if key not in kept and (result := _record(case)) is not None:
            kept[key] = result
    return list(kept.values())


def _record(case):
    bits = sum(BITS[flag] for flag in case["f"])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            regex = re.compile(case["p"], bits)
    except re.error as error:
        return {**case, "err": str(error)}
    except (OverflowError, ValueError):
        return None
    found = [[[m.start(), m.end(), *m.groups()] for m in regex.finditer(text)] for text in case["t"]]
    return {**case, "out": found}
