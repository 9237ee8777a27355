import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WireTime } from '../../wire/msgpack/time.ts';
import type { DataValue } from '../data/data-value.ts';
import { shellWord } from '../shell-word.ts';
import { YamlFloat } from '../yaml/yaml-data.ts';
import { markerOf, SecretBook } from './secret-book.ts';

function bookOf(secrets: Readonly<Record<string, string>>): SecretBook {
  const book = new SecretBook();
  for (const [path, value] of Object.entries(secrets)) book.learn(path, value);
  return book;
}

const PATH = 'db.pw';
const hides = (value: string, text: string) => bookOf({ [PATH]: value }).redact(text);

/** Letters, marks of all escapes, letters that are not ASCII, and characters of two units. */
const unit = fc.oneof(
  fc.constantFrom(...'abcXYZ019-_.~!*()\'"`$&<>/\\%+=:;,?#@{}[]| '),
  fc.constantFrom('ä', 'ß', '\u00a0', '漢', '\u{1f511}', '\u2028', '\t'),
);
const secret = fc.string({ unit, minLength: 4, maxLength: 200 }).filter((text) => text.trim().length >= 4);
const around = fc.string({ unit, maxLength: 20 });

/** As other programs write a text; here by other means than those of the book, where there are any. */
const SPELLINGS: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  'JSON in a page': (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(/[<>&']|[^\0-\x7f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'YAML in double quotes': (text) =>
    text.replace(/["\\\t]|[^\0-\x7f]/gu, (c) => {
      const short = new Map([
        ['\t', '\\t'],
        ['\u00a0', '\\_'],
        ['\u2028', '\\L'],
      ]).get(c);
      const hex = (c.codePointAt(0) ?? 0).toString(16).toUpperCase();
      const long =
        hex.length <= 2 ? `\\x${hex}` : hex.length <= 4 ? `\\u${hex}` : `\\U${hex.padStart(8, '0')}`;
      return short ?? (/["\\]/.test(c) ? `\\${c}` : long);
    }),
  'a text that Python shows': (text) =>
    text.replace(/['\\\t]|[^\0-\x7f]/gu, (c) => {
      const hex = (c.codePointAt(0) ?? 0).toString(16);
      const long =
        hex.length <= 2 ? `\\x${hex}` : hex.length <= 4 ? `\\u${hex}` : `\\U${hex.padStart(8, '0')}`;
      return c === '\t' ? '\\t' : /['\\]/.test(c) ? `\\${c}` : long;
    }),
  'JSON in JSON': (text) => JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
  'an URL': encodeURIComponent,
  'a path of an URL': encodeURI,
  'small digits in an URL': (text) =>
    encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  'a form': (text) => new URLSearchParams([['', text]]).toString().slice(1),
  'a word of a shell': (text) => shellWord(text).replace(/^'|'$/g, ''),
  'an attribute in HTML': (text) =>
    text.replace(
      /[&<>"']/g,
      (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? '&#39;',
    ),
  'YAML in single quotes': (text) => text.replaceAll("'", "''"),
  'hexadecimal digits': (text) => Buffer.from(text).toString('hex'),
  'capital hexadecimal digits': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'base64 by itself': (text) => Buffer.from(text).toString('base64'),
  'base64 for URLs by itself': (text) => Buffer.from(text).toString('base64url'),
};

describe('a secret', () => {
  it.each(Object.entries(SPELLINGS))('does not survive as %s', (_, spell) => {
    fc.assert(
      fc.property(secret, around, around, (value, before, after) => {
        const spelled = spell(value);
        const marker = markerOf(PATH);
        const shown = hides(value, `${before}${spelled}${after}`);
        expect(shown).toContain(marker);
        // The marker itself may have the letters of a secret.
        expect(shown.replaceAll(marker, '\ue000')).not.toContain(spelled);
      }),
    );
  });

  it.each(['base64', 'base64url'] as const)('does not survive anywhere inside of %s', (encoding) => {
    fc.assert(
      fc.property(secret, around, around, fc.constantFrom(0, 8, 64, 76), (value, before, after, width) => {
        const whole = Buffer.from(`${before}${value}${after}`).toString(encoding);
        const start = Buffer.byteLength(before);
        const end = start + Buffer.byteLength(value);
        const letters = whole.slice(Math.ceil((start * 8) / 6), Math.floor((end * 8) / 6));
        const lines = width === 0 ? whole : whole.replace(new RegExp(`.{${width}}`, 'g'), '$&\r\n  ');
        const shown = hides(value, lines);
        expect(shown.replaceAll(markerOf(PATH), '\ue000').replace(/\s/g, '')).not.toContain(letters);
      }),
      { numRuns: 300 },
    );
  });

  it('does not survive in bytes, text or not', () => {
    fc.assert(
      fc.property(secret, fc.uint8Array(), fc.uint8Array(), (value, before, after) => {
        const shown = bookOf({ [PATH]: value }).redactValue(
          Uint8Array.from(Buffer.concat([before, Buffer.from(value), after])),
        );
        const rest = Buffer.from(shown).toString('latin1').replaceAll(markerOf(PATH), '\u0000\u0000');
        expect(rest.includes(Buffer.from(value).toString('latin1'))).toBe(false);
      }),
    );
  });

  it('of several lines is hidden as a whole, and each line of four letters or more by itself', () => {
    const key = '-----BEGIN KEY-----\r\n  MIIEabcd\nx=\nefgh\n';
    expect(hides(key, `<${key}>`)).toBe('<[secret db.pw]>');
    expect(hides(key, '+ MIIEabcd\n+ x=\n+ efgh\n')).toBe('+ [secret db.pw]\n+ x=\n+ [secret db.pw]\n');
    expect(hides('s3cret\n', 'it is s3cret.')).toBe('it is [secret db.pw].');
  });

  it('that is long is hidden in pieces too, and is one where it stands as a whole', () => {
    const long = Array.from({ length: 300 }, (_, at) => String.fromCharCode(0x4e00 + at)).join('');
    expect(hides(long, `a${long}b`)).toBe('a[secret db.pw]b');
    expect(hides(long, `a${long.slice(0, 200)}b`)).toMatch(/^a\[secret db\.pw\].{72}b$/);
    expect(hides(long, `a${long.slice(150)}b`)).toMatch(/^a.{22}\[secret db\.pw\]b$/);
  });

  it('that contains another is shown as itself', () => {
    const book = bookOf({ short: 'horse', long: 'correct-horse-battery' });
    expect(book.redact('correct-horse-battery, horse')).toBe('[secret long], [secret short]');
  });

  it('that overlaps with another is hidden to its end', () => {
    const book = bookOf({ one: 'abcdef', two: 'efghij' });
    expect(book.redact('(abcdefghij)')).toBe('([secret one][secret two])');
  });

  it('is hidden beside others that lines part', () => {
    const base64 = Buffer.from('correct horse').toString('base64');
    const text = `${base64.slice(0, 9)}\n${base64.slice(9)} correct horse`;
    expect(hides('correct horse', text)).toBe('[secret db.pw] [secret db.pw]');
  });

  it('that two settings share is shown as the first of them', () => {
    expect(bookOf({ one: 'hunter22', two: 'hunter22' }).redact('hunter22')).toBe('[secret one]');
  });

  it('that is an ordinary word is hidden everywhere', () => {
    expect(hides('root', 'root is in chroot')).toBe('[secret db.pw] is in ch[secret db.pw]');
  });

  it('is hidden after it was rotated out', () => {
    const book = bookOf({ a: 'first-value' });
    book.learn('a', 'second-value');
    expect(book.redact('first-value second-value')).toBe('[secret a] [secret a]');
  });

  it('of fewer than four letters is left alone, also when blanks make it longer', () => {
    const book = bookOf({ a: 'abc', b: '  a   ', c: '        ' });
    const text = 'abc   a           ';
    expect(book.redact(text)).toBe(text);
  });
});

describe('a secret that was cut', () => {
  const cut = (value: string, spell: (text: string) => string, share: number, unitsMin: number) => {
    const spelled = spell(value);
    const length = unitsMin + Math.floor(share * (spelled.length - unitsMin));
    return spelled.slice(0, length);
  };
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const long = secret.filter((text) => text.length >= 8);

  it.each(Object.entries(SPELLINGS))(
    'is hidden before and behind the mark of the cut, and at the end: %s',
    (_, spell) => {
      fc.assert(
        fc.property(long, around, share, (value, before, at) => {
          const book = bookOf({ [PATH]: value });
          const marked = cut(value, spell, at, 4);
          expect(book.redact(`${before}${marked}… (more)`)).not.toContain(`${marked}…`);
          const behind = spell(value).slice(-marked.length);
          expect(book.redact(`more …${behind}${before}`)).not.toContain(`…${behind}`);
          const ended = cut(value, spell, at, 8);
          expect(book.redact(`${before}${ended}`).endsWith(ended)).toBe(false);
        }),
        { numRuns: 30 },
      );
    },
  );

  it('is hidden as far as it goes, and no further', () => {
    expect(hides('correct-horse', 'it is correct-h…, said corr… and corr')).toBe(
      'it is [secret db.pw]…, said [secret db.pw]… and corr',
    );
    expect(hides('correct-horse', '…t-horse and …orse… or …ors')).toBe(
      '…[secret db.pw] and …[secret db.pw]… or …ors',
    );
    expect(hides('correct-horse', 'it is correct-')).toBe('it is [secret db.pw]');
    expect(hides('correct-horse', 'cor… is correct')).toBe('cor… is correct');
    expect(bookOf({ one: 'correct-horse' }).redactValue(Uint8Array.from(Buffer.from('\0correct-h')))).toEqual(
      Uint8Array.from(Buffer.from('\0[secret one]')),
    );
  });

  it('is one with the pieces of it that stand before the cut', () => {
    const long = Array.from({ length: 300 }, (_, at) => String.fromCharCode(0x4e00 + at)).join('');
    for (const length of [130, 140, 200, 299])
      expect(hides(long, `a${long.slice(0, length)}…`)).toMatch(/^a\[secret db\.pw\].{0,3}…$/);
  });
});

describe('a marker', () => {
  it('stays as it is when its text is redacted again', () => {
    const book = bookOf({ 'root.secret': 'hunter22', a: 'root', b: 'secret', c: 'cret r' });
    const once = book.redact('hunter22 and root');
    expect(once).toBe('[secret root.secret] and [secret a]');
    expect(book.redact(once)).toBe(once);
  });

  it('is no hiding place: only paths of the book make one', () => {
    expect(hides('hunter22', '[secret hunter22]')).toBe('[secret [secret db.pw]]');
    expect(hides('.pw] and', '[secret db.pw] and')).toBe('[secret db[secret db.pw]');
  });

  it('is stable for any secrets that cannot end or begin one', () => {
    const plain = secret.filter((value) => !/[[\]]/.test(value));
    fc.assert(
      fc.property(fc.array(plain, { minLength: 1, maxLength: 4 }), around, (values, between) => {
        const book = new SecretBook();
        for (const [at, value] of values.entries()) book.learn(`p${at}`, value);
        const once = book.redact(values.join(between));
        expect(book.redact(once)).toBe(once);
      }),
    );
  });
});

describe('a text without secrets', () => {
  it('comes back as the same object', () => {
    const book = bookOf({ a: 'hunter22', b: 'correct horse' });
    const values: readonly DataValue[] = [
      { text: 'nothing', list: [1, 2.5, null, true, new YamlFloat(2)], '': { deep: ['x'] } },
      new Map<DataValue, DataValue>([[443, 'https']]),
      Uint8Array.of(1, 2, 255),
      new WireTime(1n),
      9_007_199_254_740_993n,
    ];
    for (const value of values) expect(book.redactValue(value)).toBe(value);
  });

  it('is left as it is, whatever it is', () => {
    const book = bookOf({ a: '\u5f00\u95e8\u5427\u829d\u9ebb', b: '\u4e61\u4e61\u4e61\u4e61' });
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab[]secrt \nä') }), (text) => {
        expect(book.redact(text)).toBe(text);
      }),
    );
  });
});

describe('data', () => {
  it('is redacted in values, keys, bytes and numbers', () => {
    const book = bookOf({ a: 'hunter22', pin: '123456' });
    expect(
      book.redactValue({
        text: 'is hunter22',
        hunter22: [
          Uint8Array.from(Buffer.from('\u00ff hunter22')),
          123_456,
          123_456n,
          new YamlFloat(123_456),
        ],
        other: 1_234_567,
      }),
    ).toEqual({
      text: 'is [secret a]',
      '[secret a]': [
        Uint8Array.from(Buffer.from('\u00ff [secret a]')),
        '[secret pin]',
        '[secret pin]',
        '[secret pin]',
      ],
      other: 1_234_567,
    });
    expect(book.redactValue(new Map<DataValue, DataValue>([[443, 'hunter22']]))).toEqual(
      new Map([[443, '[secret a]']]),
    );
  });
});

describe('a text that was cut without a mark', () => {
  it('shows no beginning of a secret at its end, wherever the cut was, and in whatever spelling', () => {
    const spelling = fc.constantFrom(...Object.values(SPELLINGS));
    fc.assert(
      fc.property(secret, around, spelling, fc.nat(), (value, before, spell, at) => {
        const whole = spell(value);
        const left = whole.slice(0, 4 + (at % Math.max(1, whole.length - 4)));
        const shown = bookOf({ [PATH]: value }).redactCut(before + left);
        expect(shown.endsWith(left)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('is left as it is where its end begins no secret, and a whole secret is hidden as ever', () => {
    const book = bookOf({ a: 'hunter22-and-more', b: 'hunter' });
    expect(book.redactCut('nothing')).toBe('nothing');
    expect(book.redactCut('pass hunter22-and')).toBe('pass [secret a]');
    expect(bookOf({ a: 'hunter22-and-more' }).redactCut('pass hunter22-and')).toBe('pass [secret a]');
    expect(bookOf({ a: 'hunter22-and-more' }).redactCut('hunter22-and-more hun')).toBe('[secret a] hun');
  });
});

describe('the book', () => {
  it('forgets the value that was learned longest ago when it is full', () => {
    const book = new SecretBook(3);
    for (const at of [1, 2, 3, 1, 4]) book.learn(`p${at}`, `value-${at}`);
    expect(book.redact('value-1 value-2 value-3 value-4')).toBe(
      '[secret p1] value-2 [secret p3] [secret p4]',
    );
  });
});
