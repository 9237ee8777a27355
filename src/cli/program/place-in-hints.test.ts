import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../all-commands.ts';
import { CONNECT_OPTIONS } from '../connect/find-place.ts';
import { PLACE_OPTIONS, withPlace } from './place-in-hints.ts';

const HINT = 'run `bin/zester job show x` to see, or `bin/zester up`; `ls` tells more';
const PROGRAM = 'bin/zester';

describe('withPlace', () => {
  it.each<[words: string[], expected: string]>([
    [['job', 'list'], HINT],
    [
      ['job', 'list', '--dir', '/a b'],
      "run `bin/zester job show x --dir '/a b'` to see, or `bin/zester up --dir '/a b'`; `ls` tells more",
    ],
    [
      ['web*', 'test.ping', '--nats-url=tls://h:1', '--ca', 'c'],
      'run `bin/zester job show x --nats-url tls://h:1 --ca c` to see, or `bin/zester up`; `ls` tells more',
    ],
    [['web*', 'cmd.run', '--', 'x', '--dir', '/y'], HINT],
    [['job', 'list', '--dir'], HINT],
    [['auth', 'init', '--dir', '/keys'], HINT],
  ])('%j', (words, expected) => {
    expect(withPlace(HINT, PROGRAM, words)).toBe(expected);
  });

  it('says no place twice', () => {
    const hint = 'stop it with `bin/zester down --dir /a`';
    expect(withPlace(hint, PROGRAM, ['up', '--dir', '/a'])).toBe(hint);
  });

  it('knows every command that goes to a fleet, and by which options', () => {
    const fleet = COMMANDS.filter(({ options }) => options.some(({ name }) => name === 'nats-url'));
    for (const { words } of fleet)
      expect([words[0], PLACE_OPTIONS[words[0] ?? '']]).toEqual([
        words[0],
        CONNECT_OPTIONS.map(({ name }) => name),
      ]);
  });
});
