import { describe, expect, it } from 'vitest';
import {
  eventTagOfInput,
  parseEventTag,
  parseJid,
  parseMasterId,
  parsePeelId,
  peelIdOfName,
  peelName,
} from './ids.ts';

/** What no id may be, whatever its kind: each would mean something else inside a subject, a path or a terminal. */
const HOSTILE = [
  '',
  '*',
  '>',
  'a.b',
  'a b',
  'a/b',
  '../a',
  'a*',
  'a>',
  'a\n',
  '\u0000',
  'ä',
  '$KV',
  '_a',
  '-a',
  'a\t',
];

describe('parseJid', () => {
  it.each(['2hPx1FNsSgJMqVn5bLSTXeBQMpO', '0'.repeat(27), `rxn-${'0af9'.repeat(8)}`])(
    'accepts %s',
    (text) => {
      expect(parseJid(text)).toBe(text);
    },
  );

  it.each([
    ...HOSTILE,
    '0'.repeat(26),
    '0'.repeat(28),
    `${'0'.repeat(26)}-`,
    `${'0'.repeat(27)}\n`,
    `rxn-${'A'.repeat(32)}`,
    `rxn-${'a'.repeat(31)}`,
    `rxn-${'a'.repeat(33)}`,
    `RXN-${'a'.repeat(32)}`,
  ])('refuses %j', (text) => expect(parseJid(text)).toBeUndefined());
});

describe('parsePeelId and parseMasterId', () => {
  it.each(['a', '0', 'web-01', 'web-01_example_com', 'A'.repeat(128)])('accept %s', (text) => {
    expect(parsePeelId(text)).toBe(text);
    expect(parseMasterId(text)).toBe(text);
  });

  it.each([...HOSTILE, 'A'.repeat(129), 'web-01\n', '{{name()}}'])('refuse %j', (text) => {
    expect(parsePeelId(text)).toBeUndefined();
    expect(parseMasterId(text)).toBeUndefined();
  });
});

describe('peelIdOfName', () => {
  it('writes dots as underscores, and peelName writes them back', () => {
    const peel = peelIdOfName('web-01.example.com');
    expect(peel).toBe('web-01_example_com');
    expect(peel && peelName(peel)).toBe('web-01.example.com');
    expect(peelIdOfName('web-01')).toBe('web-01');
  });

  it.each(['', '.a', 'a.', 'a b', '*.example.com'])('refuses %j', (name) => {
    expect(peelIdOfName(name)).toBeUndefined();
  });
});

describe('parseEventTag', () => {
  it.each(['a', 'myco/deploy/finished', 'a_b/C-d/0', '_x/-'])('accepts %s', (tag) => {
    expect(parseEventTag(tag)).toBe(tag);
  });

  it.each([
    '',
    '/',
    'a/',
    '/a',
    'a//b',
    'a.b',
    'a/*',
    'a/>',
    'a b',
    'a/\n',
    'ä',
    'a'.repeat(513),
    Array(33).fill('a').join('/'),
  ])('refuses %j', (tag) => expect(parseEventTag(tag)).toBeUndefined());

  it('takes dots instead of slashes from people, but no mixture', () => {
    expect(eventTagOfInput('myco.deploy.done')).toBe('myco/deploy/done');
    expect(eventTagOfInput('myco/deploy/done')).toBe('myco/deploy/done');
    expect(eventTagOfInput('myco.deploy/done')).toBeUndefined();
  });
});
