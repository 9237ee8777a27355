import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePeelId, peelName } from '../../wire/names/ids.ts';
import { peelIdOfHost, peelIdOfWord } from './machine-name.ts';

describe('what a machine is called', () => {
  it('its host name, with _ for dots, and back again', () => {
    expect(peelIdOfHost('web-01.example.com')).toEqual({ peelId: 'web-01_example_com' });
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}(\.[a-z0-9-]{1,10}){0,3}$/), (host) => {
        const named = peelIdOfHost(host);
        if ('peelId' in named) expect(peelName(named.peelId)).toBe(host);
      }),
    );
  });

  it.each([
    ['localhost', /every machine has it/],
    ['localhost.localdomain', /every machine has it/],
    ['a.localhost', /every machine has it/],
    ['web_01', /stands for a dot/],
    ['', /no host name/],
    ['web 01', /characters/],
    ['../../etc/passwd', /characters/],
    ['web.', /characters/],
  ])('not %j', (host, problem) => {
    expect(peelIdOfHost(host)).toEqual({ problem: expect.stringMatching(problem) });
  });

  it('a name that a person gives may be an id or a host name, nothing that leads out of a directory', () => {
    expect(peelIdOfWord('web_example_com')).toBe('web_example_com');
    expect(peelIdOfWord('web.example.com')).toBe('web_example_com');
    for (const word of ['a_b.c', '..', '../x', 'a/b', '', '*', '>', '-x', 'a b', `${'x'.repeat(129)}`])
      expect(peelIdOfWord(word)).toBeUndefined();
    fc.assert(
      fc.property(fc.string(), (word) => {
        const id = peelIdOfWord(word);
        expect(id === undefined || parsePeelId(id) === id).toBe(true);
      }),
    );
  });
});
