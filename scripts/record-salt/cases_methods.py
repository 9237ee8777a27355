"""Expressions for the methods of Python's own types, and for the attributes of Jinja2's objects."""

STR = {
    "capitalize": ["s.capitalize()", "'ABC dEF'.capitalize()", "''.capitalize()", "'éa'.capitalize()", "s.capitalize(1)", "'ﬁsh'.capitalize()"],
    "casefold": ["'Straße'.casefold()", "'ABC'.casefold()", "'ΑΣ'.casefold()", "''.casefold()", "'İ'.casefold()|length"],
    "center": ["'x'.center(4)|tojson", "'x'.center(5, '*')", "'ab'.center(5, '-')", "'abc'.center(2)", "'x'.center()", "'x'.center(5, 'ab')", "'x'.center('5')", "'x'.center(4, 1)"],
    "count": ["s.count('o')", "'aaaa'.count('aa')", "s.count('')", "s.count('o', 5)", "s.count('l', 0, 4)", "s.count(1)", "uni.count('é')", "s.count('o', -3)"],
    "encode": ["'abc'.encode()", "'é'.encode()", "'é'.encode('utf-8')", "'a\\'b'.encode()", "'x'.encode('ascii').decode()", "'é'.encode('ascii')", "'é'.encode('latin-1')", "'x'.encode('nope')", "'é'.encode('ascii', 'ignore')", "'é'.encode('ascii', 'replace')"],
    "endswith": ["s.endswith('ld')", "s.endswith('x')", "s.endswith(('x', 'ld'))", "s.endswith('')", "s.endswith('o', 0, 5)", "s.endswith(['ld'])", "s.endswith(1)", "s.endswith('hello', -20, 5)"],
    "expandtabs": ["'a\\tb'.expandtabs()|tojson", "'a\\tb'.expandtabs(4)|tojson", "'\\t\\t'.expandtabs(2)|tojson", "'ab\\ncd\\te'.expandtabs(4)|tojson", "'a\\tb'.expandtabs(0)|tojson", "'a\\tb'.expandtabs(tabsize=3)|tojson"],
    "find": ["s.find('o')", "s.find('zz')", "s.find('o', 5)", "s.find('')", "s.find('o', 5, 7)", "s.find('o', -3)", "uni.find('😀')", "s.find(1)", "s.find('', 99)"],
    "format": ["'{} {}'.format(1, 'a')", "'{1} {0}'.format('a', 'b')", "'{x}'.format(x=5)", "'{:>8}|{:<4}|{:^5}'.format('a', 'b', 'c')", "'{:05d} {:+d} {:x} {:#X} {:b} {:o}'.format(42, 3, 255, 255, 5, 8)", "'{:.2f} {:8.3f} {:e} {:g} {:%}'.format(3.14159, 2.5, 12345.678, 0.0001, 0.25)", "'{:,} {:_}'.format(1234567, 1234567)",
               "'{0[a]} {0[b]}'.format(d)", "'{0[0]}'.format(xs)", "'{0.real}'.format(n)", "'{!r} {!s} {!a}'.format('é', 'é', 'é')", "'{{}} {{{}}}'.format(1)", "'{:{}}|'.format('x', 5)", "'{:{w}.{p}f}'.format(3.14159, w=8, p=2)", "'{}'.format()", "'{2}'.format(1)", "'{x}'.format()", "'{:d}'.format('x')", "'{:z}'.format(1)", "'{'.format()", "'}'.format()", "'{} {0}'.format(1)", "'{:*^9}'.format('mid')", "'{:>5}'.format(none)", "'{:5}|{:5}'.format(true, 1)", "'{}'.format(none)", "'{:s}'.format(1)", "'{:10.3}|'.format('abcdef')", "'{:,.2f}'.format(1234567.891)", "'{:c}'.format(65)", "'{:08.3f}'.format(-3.14159)", "'{:=+6d}'.format(5)", "'{: d}'.format(5)", "'{}'.format(xs)", "'{a.b}'.format(a={'b': 1})", "'{:n}'.format(1234)", "'{:G}'.format(1e20)", "'{0.__class__}'.format(1)", "'{:.0f}'.format(2.5)", "'{:.3}'.format(1234.5)", "'{:}'.format(f)", "'{:<10}|'.format(f)", "'{:010}'.format(-7)", "'{:#b}'.format(-5)", "'{!x}'.format(1)"],
    "format_map": ["'{a}-{b}'.format_map(d)", "'{x}'.format_map({'x': 1})", "'{x}'.format_map({})", "'{x[0]}'.format_map({'x': xs})", "'plain'.format_map({})", "'{port:06d}'.format_map(conf)"],
    "index": ["s.index('o')", "s.index('zz')", "s.index('o', 5)", "s.index('o', 5, 6)", "uni.index('☕')"],
    "isalnum": ["'ab1'.isalnum()", "'a b'.isalnum()", "''.isalnum()", "'é²'.isalnum()", "'_'.isalnum()"],
    "isalpha": ["'abc'.isalpha()", "'ab1'.isalpha()", "''.isalpha()", "'éß'.isalpha()", "'中'.isalpha()"],
    "isascii": ["'abc'.isascii()", "'é'.isascii()", "''.isascii()", "'\\x7f'.isascii()", "uni.isascii()"],
    "isdecimal": ["'12'.isdecimal()", "'1.2'.isdecimal()", "'²'.isdecimal()", "'٣'.isdecimal()", "''.isdecimal()"],
    "isdigit": ["'12'.isdigit()", "'-1'.isdigit()", "'²'.isdigit()", "''.isdigit()", "'½'.isdigit()"],
    "isidentifier": ["'abc'.isidentifier()", "'1a'.isidentifier()", "'_x9'.isidentifier()", "'é'.isidentifier()", "''.isidentifier()", "'class'.isidentifier()"],
    "islower": ["'abc'.islower()", "'aB'.islower()", "'12'.islower()", "'a1'.islower()", "''.islower()", "'ª'.islower()"],
    "isnumeric": ["'12'.isnumeric()", "'½'.isnumeric()", "'四'.isnumeric()", "'1.5'.isnumeric()", "''.isnumeric()"],
    "isprintable": ["'abc'.isprintable()", "'a\\n'.isprintable()", "''.isprintable()", "'\\u200b'.isprintable()", "'é ☕'.isprintable()", "'\\u00a0'.isprintable()"],
    "isspace": ["' '.isspace()", "'\\t\\n'.isspace()", "' x '.isspace()", "''.isspace()", "'\\u2003'.isspace()", "'\\x1c'.isspace()"],
    "istitle": ["'Hello World'.istitle()", "'Hello world'.istitle()", "'HELLO'.istitle()", "''.istitle()", "'A1B'.istitle()", "'1'.istitle()"],
    "isupper": ["'ABC'.isupper()", "'AbC'.isupper()", "'A1'.isupper()", "'12'.isupper()", "''.isupper()"],
    "join": ["', '.join(words)", "''.join(['a', 'b'])", "'-'.join('abc')", "','.join(xs)", "','.join(d)", "','.join([])", "','.join(1)", "','.join(xs|map('string'))", "','.join(['a', none])", "safe.join(['<'])"],
    "ljust": ["'a'.ljust(4)|tojson", "'a'.ljust(4, '.')", "'abc'.ljust(2)", "'a'.ljust(3, 'xy')", "uni.ljust(20, '_')"],
    "lower": ["'ABC'.lower()", "'ÀÉ'.lower()", "''.lower()", "'ΟΔΥΣΣΕΥΣ'.lower()", "s.lower(1)"],
    "lstrip": ["'  a '.lstrip()|tojson", "'xxa'.lstrip('x')", "'abcab'.lstrip('ba')", "'a'.lstrip(none)", "'a'.lstrip(1)", "'www.x.com'.lstrip('w.')"],
    "maketrans": ["s.maketrans('ab', 'xy')", "s.maketrans({'a': 'b'})", "s.maketrans('a', 'b', 'c')", "s.maketrans('ab', 'c')", "s.maketrans('', '')"],
    "partition": ["s.partition(' ')", "s.partition('zz')", "'a=b=c'.partition('=')", "s.partition('')", "s.partition(1)", "''.partition('x')"],
    "removeprefix": ["s.removeprefix('hello ')", "s.removeprefix('x')", "''.removeprefix('a')", "s.removeprefix('')", "s.removeprefix(1)"],
    "removesuffix": ["s.removesuffix('world')", "s.removesuffix('x')", "s.removesuffix('')", "'aa'.removesuffix('aa')", "s.removesuffix()"],
    "replace": ["s.replace('o', '0')", "s.replace('o', '0', 1)", "s.replace('', '-')", "s.replace('l', '')", "''.replace('', 'x')", "s.replace('a')", "s.replace(1, 'x')", "s.replace('o', '0', -1)", "'aXbX'.replace('X', '$&')", "safe.replace('b', 'i')", "s.replace('', '-', 3)"],
    "rfind": ["s.rfind('o')", "s.rfind('zz')", "s.rfind('o', 0, 5)", "s.rfind('')", "uni.rfind('é')"],
    "rindex": ["s.rindex('o')", "s.rindex('zz')", "s.rindex('l', 0, 4)", "'aaa'.rindex('aa')", "s.rindex('d', -1)"],
    "rjust": ["'a'.rjust(4)|tojson", "'a'.rjust(4, '0')", "'abc'.rjust(2)", "'7'.rjust(3, '0') ~ '!'", "'a'.rjust(2, '')"],
    "rpartition": ["'a=b=c'.rpartition('=')", "s.rpartition('zz')", "s.rpartition('o')", "s.rpartition('')", "'/a/b.c'.rpartition('/')[2]"],
    "rsplit": ["'a b c'.rsplit()", "'a,b,c'.rsplit(',', 1)", "'a,b,c'.rsplit(',')", "'  a  b '.rsplit(none, 1)", "'a.b.c'.rsplit('.', maxsplit=1)", "''.rsplit()", "'x'.rsplit('')", "'a  b  c'.rsplit(maxsplit=1)"],
    "rstrip": ["' a  '.rstrip()|tojson", "'axx'.rstrip('x')", "'a/'.rstrip('/')", "'a\\n\\n'.rstrip()", "'mississippi'.rstrip('ipz')"],
    "split": ["s.split()", "'a,b,,c'.split(',')", "'a,b,c'.split(',', 1)", "'  a  b '.split()", "''.split()", "''.split(',')", "'a b c'.split(none, 1)", "'a--b'.split('--')", "'a b'.split('')", "'a,b'.split(sep=',')", "'a b c'.split(maxsplit=1)", "'a'.split(1)", "'a\\u00a0b\\u2003c'.split()", "' a b '.split(' ')", "'a,b'.split(',', -1)", "'a,b'.split(',', 0)", "'a b '.split(none, 0)", "'  a b  c '.split(none, 1)"],
    "splitlines": ["text.splitlines()", "'a\\r\\nb\\rc'.splitlines()", "text.splitlines(true)", "''.splitlines()", "'a\\n'.splitlines()", "'a\\x0bb\\x1cc\\u2028d'.splitlines()", "'a\\nb'.splitlines(keepends=true)"],
    "startswith": ["s.startswith('he')", "s.startswith('x')", "s.startswith(('x', 'h'))", "s.startswith('w', 6)", "s.startswith('')", "s.startswith(none)", "s.startswith('', 99)", "s.startswith(('x', 1))"],
    "strip": ["'  a '.strip()|tojson", "'xax'.strip('x')", "'\\t\\na\\r'.strip()|tojson", "''.strip()", "'abcba'.strip('ab')", "'a'.strip('')", "'\\x1fa\\u3000'.strip()", "'a'.strip('x', 'y')"],
    "swapcase": ["'aBc'.swapcase()", "''.swapcase()", "'Éa1'.swapcase()", "'ß'.swapcase()", "s.swapcase()"],
    "title": ["s.title()", "\"it's\".title()", "'a1b'.title()", "'HELLO-world'.title()", "''.title()", "'ǆ'.title()"],
    "translate": ["'abc'.translate({97: 'x'})", "'abc'.translate({97: none})", "'abc'.translate({98: 66})", "'abc'.translate({})", "'abc'.translate(s.maketrans('ab', 'xy'))", "'abc'.translate(['x'])"],
    "upper": ["s.upper()", "'ß'.upper()", "'éà'.upper()", "''.upper()", "'ŉ ﬁ'.upper()"],
    "zfill": ["'7'.zfill(3)", "'-7'.zfill(4)", "'+7'.zfill(4)", "'abc'.zfill(2)", "''.zfill(2)", "'7'.zfill('3')"],
}

# What changes a value is a template: the change must be seen afterwards, also through another name.
LIST = {
    "append": ["{% set l = [1] %}{% do l.append(2) %}{{ l }}", "{% set a = [] %}{% set b = a %}{% do a.append(1) %}{{ b }}", "{% do xs.append('x') %}{{ xs }}", "xs.append(1)", "xs.append()", "{% do xs.append(xs) %}{{ xs }}", "{% for i in range(3) %}{% do words.append(i) %}{% endfor %}{{ words }}", "{% if xs.append(5) %}{% endif %}{{ xs }}", "{% set x = xs.append(9) %}{{ x }}{{ xs }}"],
    "clear": ["{% do xs.clear() %}{{ xs }}", "{% set b = xs %}{% do xs.clear() %}{{ b }}", "xs.clear()", "[].clear()", "xs.clear(1)"],
    "copy": ["xs.copy()", "{% set c = xs.copy() %}{% do c.append(1) %}{{ xs }}{{ c }}", "nested.copy()", "xs.copy(1)", "{% set c = nested.copy() %}{% do c[0].append(9) %}{{ nested }}"],
    "count": ["xs.count(1)", "[1, 1.0, true].count(1)", "words.count('x')", "[none].count(none)", "xs.count()"],
    "extend": ["{% do xs.extend([4, 5]) %}{{ xs }}", "{% do xs.extend('ab') %}{{ xs }}", "{% do xs.extend(d) %}{{ xs }}", "xs.extend(1)", "{% do xs.extend(range(2)) %}{{ xs }}", "{% do xs.extend(xs) %}{{ xs }}", "{% do xs.extend(t) %}{{ xs }}"],
    "index": ["xs.index(2)", "xs.index(99)", "words.index('fig')", "[1, 2, 1].index(1, 1)", "xs.index('x')", "xs.index(2, 0, 1)"],
    "insert": ["{% do xs.insert(0, 9) %}{{ xs }}", "{% do xs.insert(-1, 9) %}{{ xs }}", "{% do xs.insert(99, 9) %}{{ xs }}", "xs.insert(0)", "xs.insert('a', 1)", "{% do xs.insert(-99, 9) %}{{ xs }}"],
    "pop": ["{{ xs.pop() }}{{ xs }}", "{{ xs.pop(0) }}{{ xs }}", "{{ xs.pop(-2) }}{{ xs }}", "[].pop()", "xs.pop(9)", "xs.pop('a')"],
    "remove": ["{% do xs.remove(1) %}{{ xs }}", "xs.remove(99)", "{% set l = [1, 2, 1] %}{% do l.remove(1) %}{{ l }}", "xs.remove()", "{% set l = [true] %}{% do l.remove(1) %}{{ l }}"],
    "reverse": ["{% do xs.reverse() %}{{ xs }}", "xs.reverse()", "{% set b = xs %}{% do xs.reverse() %}{{ b }}", "[].reverse()", "xs.reverse(1)"],
    "sort": ["{% do xs.sort() %}{{ xs }}", "{% do xs.sort(reverse=true) %}{{ xs }}", "{% do words.sort() %}{{ words }}", "mixed.sort()", "xs.sort(1)", "{% do words.sort(key=s.count) %}{{ words }}", "xs.sort()", "{% set l = [[2, 1], [1, 5]] %}{% do l.sort() %}{{ l }}"],
}

DICT = {
    "clear": ["{% do d.clear() %}{{ d }}", "d.clear()", "{% set e = d %}{% do d.clear() %}{{ e|length }}", "{}.clear()", "d.clear(1)"],
    "copy": ["d.copy()", "{% set c = d.copy() %}{% do c.update({'z': 1}) %}{{ d }}{{ c }}", "conf.copy()", "d.copy(1)", "{% set c = conf.copy() %}{% do c.hosts.append('x') %}{{ conf.hosts }}"],
    "fromkeys": ["d.fromkeys(['x', 'y'])", "{}.fromkeys('ab', 0)", "dict.fromkeys([1, 2], 'v')", "d.fromkeys(1)", "{}.fromkeys([])", "{}.fromkeys([[1]])"],
    "get": ["d.get('a')", "d.get('zz')", "d.get('zz', 'dflt')", "conf.get('tls', {}).get('on')", "d.get()", "intkeys.get(1)", "intkeys.get((1, 2))", "d.get([])", "d.get('zz', default=1)", "d.get('a', 'b', 'c')", "intkeys.get(1.0)", "intkeys.get(true)", "tricky.get('name')", "tricky['get']"],
    "items": ["d.items()", "d.items()|list", "{% for k, v in d.items() %}{{ k }}{{ v }}{% endfor %}", "{}.items()", "tricky.items()|list", "tricky['items']", "d.items(1)", "('a', 1) in d.items()", "d.items()|first"],
    "keys": ["d.keys()", "d.keys()|list", "'a' in d.keys()", "d.keys()|sort", "{}.keys()", "d.keys()|length", "d.keys()[0]", "d.keys() == d.keys()"],
    "pop": ["{{ d.pop('a') }}{{ d }}", "d.pop('zz')", "d.pop('zz', 'x')", "d.pop()", "{{ conf.pop('tls').cert }}{{ conf }}", "intkeys.pop(9)"],
    "popitem": ["{{ d.popitem() }}{{ d }}", "{}.popitem()", "{{ intkeys.popitem() }}", "d.popitem(1)", "{% for i in range(2) %}{{ d.popitem() }}{% endfor %}"],
    "setdefault": ["{{ d.setdefault('a', 9) }}{{ d }}", "{{ d.setdefault('z', 9) }}{{ d }}", "{% do d.setdefault('l', []).append(1) %}{{ d }}", "{{ d.setdefault('q') }}{{ d }}", "d.setdefault([], 1)", "d.setdefault()"],
    "update": ["{% do d.update({'z': 1, 'a': 9}) %}{{ d }}", "{% do d.update(z=1) %}{{ d }}", "{% do d.update([('k', 'v')]) %}{{ d }}", "d.update({})", "d.update(1)", "d.update([1])", "{% do d.update({'x': 1}, y=2) %}{{ d }}", "d.update({}, {})", "{% set e = d %}{% do e.update(b=0) %}{{ d }}", "{% do d.update(d) %}{{ d }}", "d.update(['abc'])", "{% do d.update() %}{{ d }}"],
    "values": ["d.values()", "d.values()|list", "d.values()|sum", "{}.values()", "2 in d.values()", "d.values()|map('string')|join", "d.values() == d.values()"],
}

TUPLE = {
    "count": ["t.count(1)", "t.count('x')", "(1, 1.0, true).count(1)", "t.count()", "().count(none)"],
    "index": ["t.index(2)", "t.index(9)", "('a', 'b').index('b')", "t.index(3, 1)", "t.index(1, 1)", "t.index()"],
}

INT = {
    "as_integer_ratio": ["n.as_integer_ratio()", "(-5).as_integer_ratio()", "zero.as_integer_ratio()", "true.as_integer_ratio()", "big.as_integer_ratio()"],
    "bit_count": ["n.bit_count()", "zero.bit_count()", "(-7).bit_count()", "big.bit_count()", "n.bit_count(1)"],
    "bit_length": ["n.bit_length()", "zero.bit_length()", "big.bit_length()", "(-8).bit_length()", "(255).bit_length()"],
    "conjugate": ["n.conjugate()", "neg.conjugate()", "big.conjugate()", "zero.conjugate()", "true.conjugate()"],
    "denominator": ["n.denominator", "big.denominator", "zero.denominator", "true.denominator", "neg.denominator"],
    "numerator": ["n.numerator", "big.numerator", "zero.numerator", "true.numerator", "neg.numerator"],
    "real": ["n.real", "big.real", "true.real", "neg.real", "zero.real"],
    "imag": ["n.imag", "big.imag", "true.imag", "neg.imag", "zero.imag"],
    "to_bytes": ["n.to_bytes(2, 'big')", "n.to_bytes(2, 'little')", "(1000).to_bytes(1, 'big')", "neg.to_bytes(1, 'big')", "neg.to_bytes(2, 'big', signed=true)", "n.to_bytes()"],
    "from_bytes": ["n.from_bytes(raw, 'big')", "n.from_bytes(raw, 'little')", "n.from_bytes(raw[-1:], 'big', signed=true)", "n.from_bytes(''.encode(), 'big')", "n.from_bytes([1, 2], 'big')"],
}

FLOAT = {
    "as_integer_ratio": ["f.as_integer_ratio()", "0.5.as_integer_ratio()", "1e20.as_integer_ratio()", "inf.as_integer_ratio()", "(0.1).as_integer_ratio()", "nan.as_integer_ratio()"],
    "conjugate": ["f.conjugate()", "0.0.conjugate()", "huge.conjugate()", "third.conjugate()", "(-1.5).conjugate()"],
    "fromhex": ["f.fromhex('0x1.8p+1')", "f.fromhex('ff')", "f.fromhex('x')", "f.fromhex('-0x.1p3')", "f.fromhex('inf')"],
    "hex": ["f.hex()", "0.0.hex()", "third.hex()", "(-0.5).hex()", "huge.hex()"],
    "is_integer": ["f.is_integer()", "2.0.is_integer()", "huge.is_integer()", "(1 / 1).is_integer()", "inf.is_integer()"],
    "real": ["f.real", "0.0.real", "third.real", "huge.real", "(-1.5).real"],
    "imag": ["f.imag", "0.0.imag", "third.imag", "huge.imag", "(-1.5).imag"],
}

BYTES = {
    "decode": ["'é'.encode().decode()", "raw.decode()", "raw.decode('latin-1')", "raw.decode('utf-8', 'replace')", "raw.decode('ascii', 'ignore')"],
    "hex": ["raw.hex()", "''.encode().hex()", "'az'.encode().hex()", "raw.hex(':')", "raw[:3].hex('-', 2)"],
    "startswith": ["raw.startswith('by'.encode())", "raw.startswith('x'.encode())", "raw.startswith('by')", "raw.startswith(''.encode())", "raw.startswith(('x'.encode(), 'b'.encode()))"],
    "split": ["raw.split()", "raw.split(' '.encode())", "'a,b'.encode().split(','.encode())", "''.encode().split()", "raw.split(' ')"],
}

# Attributes of what Jinja2 itself hands to templates.
OBJECTS = {
    "cycler": ["{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.next() }}{{ c.next() }}", "{% set c = cycler('a', 'b') %}{{ c.current }}{{ c.next() }}{{ c.current }}", "{% set c = cycler('a', 'b') %}{{ c.next() }}{% do c.reset() %}{{ c.next() }}", "cycler()", "{% set c = cycler(1, 2, 3) %}{% for i in range(5) %}{{ c.next() }}{% endfor %}", "{% set c = cycler('odd', 'even') %}{% for u in users %}<li class=\"{{ c.next() }}\">{{ u.name }}</li>{% endfor %}", "cycler('x').nope"],
    "joiner": ["{% set j = joiner(', ') %}{% for x in xs %}{{ j() }}{{ x }}{% endfor %}", "{% set j = joiner() %}{{ j() }}a{{ j() }}b{{ j() }}", "{% set j = joiner('|') %}{% if yes %}{{ j() }}A{% endif %}{% if no %}{{ j() }}B{% endif %}{{ j() }}C", "joiner(1)() ~ 'x'", "{% set j = joiner(sep='; ') %}{{ j() }}{{ j() }}", "joiner(',').sep"],
    "namespace": ["{% set ns = namespace(found=false) %}{% for x in xs %}{% if x == 1 %}{% set ns.found = true %}{% endif %}{% endfor %}{{ ns.found }}", "{% set ns = namespace() %}{% set ns.a = 1 %}{{ ns.a }}", "{% set ns = namespace({'a': 1}, b=2) %}{{ ns.a }}{{ ns.b }}", "namespace().nope", "{% set ns = namespace(total=0) %}{% for u in users %}{% set ns.total = ns.total + u.age %}{% endfor %}{{ ns.total }}", "{% set ns = namespace(x=1) %}{{ ns['x'] }}", "{% set d.x = 1 %}", "namespace(1)", "{% set ns = namespace(a=1) %}{{ ns }}", "{% set ns = namespace(l=[]) %}{% do ns.l.append(1) %}{{ ns.l }}", "{% set ns.x = 1 %}"],
    "range": ["range(5)", "range(2, 5)|list", "range(10, 0, -3)|list", "range(3)[1]", "range(5)[-1]", "range(10)[2:5]", "range(0)", "range(1, 10, 2)", "range(5).start", "range(2, 9, 3).step", "3 in range(5)", "range(1.5)", "range()", "range('a')", "range(1, 2, 0)", "range(3) == range(0, 3)", "range(5).index(3)", "range(5).count(9)", "range(3)[9]", "range(100001)", "range(0, -3)|list"],
    "dict": ["dict(a=1, b=2)", "dict({'x': 1}, y=2)", "dict([('a', 1), ('b', 2)])", "dict()", "dict(1)", "dict(d, a=9)", "dict(['ab', 'cd'])", "dict([1])", "dict(**d)", "dict({}, {})", "dict(d.items())"],
    "lipsum": ["lipsum()|length > 0", "lipsum(n=1, html=false)|length > 20", "'<p>' in lipsum(2)", "lipsum(3, false).split('\\n\\n')|length", "lipsum(1, false, 5, 6)|wordcount", "lipsum() is escaped", "lipsum(html=false) is escaped"],
    "loop": [
        "{% for x in xs %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }} {% endfor %}", "{% for x in xs %}{{ loop.first }}{{ loop.last }}{{ loop.length }} {% endfor %}", "{% for x in xs %}{{ loop.previtem|default('-') }}<{{ x }}>{{ loop.nextitem|default('-') }} {% endfor %}",
        "{% for x in xs %}{{ loop.cycle('a', 'b') }}{% endfor %}", "{% for x in [1, 1, 2, 2, 1] %}{{ loop.changed(x) }} {% endfor %}", "{% for x in xs %}{% for y in xs %}{{ loop.depth }}{{ loop.depth0 }}{% endfor %}{% endfor %}", "{% for x in xs %}{{ loop.nope }}{% endfor %}", "{% for x in xs %}{{ loop.cycle() }}{% endfor %}", "{% for x in xs if x > 1 %}{{ loop.index }}/{{ loop.length }} {% endfor %}",
        "{% for x in xs|map('abs') %}{{ loop.length }}{{ loop.last }}{{ loop.revindex }}{% endfor %}", "{% for a in xs %}{% set outer = loop %}{% for b in 'xy' %}{{ outer.index }}.{{ loop.index }} {% endfor %}{% endfor %}", "{% for x in [] %}{% else %}{{ loop is defined }}{% endfor %}", "{% for x in xs %}{% endfor %}{{ loop }}", "{% for x in xs %}{{ loop('a') }}{% endfor %}", "{% for x in xs %}{{ loop.changed(x, 1) }}{{ loop.changed(x % 2) }} {% endfor %}", "{% for x in xs %}{{ loop }} {% endfor %}", "{% for x in xs %}{{ loop.first.real }}{% endfor %}", "{% for x in 'ab' %}{{ loop['index'] }}{% endfor %}",
    ],
    "macro": ["{% macro m(a, b=2) %}{% endmacro %}{{ m.name }}{{ m.arguments }}", "{% macro m(a) %}{{ kwargs }}{% endmacro %}{{ m.catch_kwargs }}{{ m.catch_varargs }}", "{% macro m() %}{{ varargs }}{% endmacro %}{{ m.catch_varargs }}{{ m.catch_kwargs }}", "{% macro m() %}{{ caller() }}{% endmacro %}{{ m.caller }}", "{% macro m() %}{% endmacro %}{{ m.caller }}{{ m.nope }}", "{% macro m() %}{% endmacro %}{{ m }}"],
    "self": ["{% block a %}A{% endblock %}{{ self.a() }}", "{% block a %}{{ self.b() }}{% endblock %}{% block b %}B{% endblock %}", "self.nope()", "{{ self }}", "{% block a %}x{% endblock %}{{ self.a()|upper }}"],
    "view": ["d.items().isdisjoint([])", "d.keys().isdisjoint(['a'])", "d.keys().mapping", "d.values().mapping['a']", "d.items().nope", "d.keys() == ['b', 'a', 'C']"],
}

# Without parentheses, on the wrong type, by item, or private.
ATTRIBUTES = [
    "s.nope", "s.nope()", "n.nope", "xs.nope", "d.nope", "t.nope", "f.nope", "none.nope", "true.nope", "nothing.x", "missing.x", "d['nope']", "xs['nope']", "xs[99]", "xs[-99]", "t[5]", "s[99]", "s[0]", "s[-1]", "xs[-1]", "xs['append'](1)", "d.a", "d['a']", "tricky['keys']", "tricky.name", "d.0", "xs.0", "xs.1", "nested.1.1.0",
    "n[0]", "none[0]", "xs[1.0]", "xs[none]", "xs[true]", "d[[]]", "s['upper']()", "users.0.name", "users[0]['langs'][1]", "conf.tls.cert", "conf['tls']['on']", "conf.hosts[0][0]", "add(1)", "add(1, 2)", "add(a=1, b=2)", "add()", "n()", "s()", "none()", "d()", "missing()", "d.nope()", "d.nope.more", "echo(1, 'a', k=2)", "echo(*xs, **{'a': 1})", "nil()", "nil() is none",
    "s.__class__", "s.__len__", "d.__init__", "[].__class__.__mro__", "s['__class__']", "d['__class__']", "add.__globals__", "xs._private", "d._x", "d['_x']", "''.__class__.__base__", "s.format.__self__", "range.__name__", "xs.constructor", "xs.length", "s.length", "d.constructor", "d.toString", "d.__proto__", "d['__proto__']", "s.charAt", "xs.push", "d.hasOwnProperty", "namespace().__init__", "joiner().__class__", "self.__class__",
    "s[1:3]", "xs[::-1]", "s[::2]", "t[1:]", "xs[:-1]", "xs[5:]", "s[-3:]", "xs[1:2:1]", "xs[::0]", "xs['a':]", "d[1:2]", "n[1:]", "xs[none:2]", "s[10:0:-2]", "uni[-1]", "uni[::-1]", "range(10)[::3]|list", "t[::-1]", "raw[0]", "raw[1:3]", "xs[1, 2]", "intkeys[1, 2]", "intkeys[1]", "intkeys[none]", "intkeys['1']", "xs[0:true]", "nested[1][1][-1]", "xs[big]", "xs[:big]", "s[-big:]",
]
