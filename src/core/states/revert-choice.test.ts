import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseStates, foundationsBelow, type RunOnRecord, revertedShare } from './revert-choice.ts';

const state = (name: string, isReverted = false) => ({
  name,
  isUndoable: !isReverted,
  reverted: isReverted ? { by: 'job', atMs: 0 } : undefined,
  kept: [],
});

const run = (
  names: readonly string[],
  foundations: Readonly<Record<string, string[]>> = {},
): RunOnRecord => ({
  jid: 'one',
  atMs: 0,
  states: names.map((name) => state(name)),
  foundations: new Map(Object.entries(foundations)),
});

describe('the states of a revert', () => {
  it('are all of the run, the latest first', () => {
    const { states, unknown } = chooseStates(run(['a.b:x', 'a.b:y']), []);
    expect([states.map(({ name }) => name), unknown]).toEqual([['a.b:y', 'a.b:x'], []]);
  });

  it('are those named, by name or id; an id may be that of several, and hold colons', () => {
    const three = run(['file.managed:/a:b', 'cmd.run:/a:b', 'cmd.run:c']);
    expect(chooseStates(three, ['/a:b']).states).toHaveLength(2);
    expect(chooseStates(three, ['cmd.run:/a:b', '/a:b']).states).toHaveLength(2);
    expect(chooseStates(three, ['cmd.run:c']).states).toHaveLength(1);
  });

  it('that are named and not on record are told, with what was perhaps meant', () => {
    const { states, unknown } = chooseStates(run(['file.managed:/etc/motd']), ['/etc/mtod', 'web', 'web']);
    expect(states).toEqual([]);
    expect(unknown).toEqual([
      { name: '/etc/mtod', why: expect.stringContaining('did you mean /etc/motd?') },
      { name: 'web', why: expect.stringContaining('job one has no record') },
    ]);
  });

  it('that `names` made of one id have names of their own; the id or the entry alone is told which to write', () => {
    const made = run(['file.directory:dirs:/srv/a', 'file.directory:dirs:/srv/b']);
    expect(chooseStates(made, ['dirs:/srv/b']).states).toMatchObject([
      { name: 'file.directory:dirs:/srv/b' },
    ]);
    const { states, unknown } = chooseStates(made, ['dirs', '/srv/b']);
    expect(states).toEqual([]);
    expect(unknown).toMatchObject([
      { why: expect.stringContaining('did you mean file.directory:dirs:/srv/a?') },
      { why: expect.stringContaining('did you mean file.directory:dirs:/srv/b?') },
    ]);
  });

  it('every name asked for ends in exactly one of the two lists', () => {
    const name = fc.constantFrom('a.b:x', 'a.b:y', 'x', 'y', 'z', 'a.c:x', '');
    fc.assert(
      fc.property(fc.uniqueArray(name), fc.array(name, { minLength: 1 }), (on, asked) => {
        const { states, unknown } = chooseStates(run(on), asked);
        for (const each of asked) {
          const isFound = states.some((found) => found.name === each || found.name.endsWith(`:${each}`));
          expect(isFound || unknown.some((other) => other.name === each)).toBe(true);
        }
      }),
    );
  });
});

describe('foundationsBelow', () => {
  it('reaches through states that have no record of their own, and ends in a circle too', () => {
    const built = run(['top', 'base'], { top: ['middle'], middle: ['base', 'top'], other: ['top'] });
    expect([...foundationsBelow('top', built)].sort()).toEqual(['base', 'middle', 'top']);
    expect([...foundationsBelow('base', built)]).toEqual([]);
  });
});

describe('revertedShare', () => {
  it('says none, some or all', () => {
    const of = (...reverted: boolean[]) =>
      revertedShare({ ...run([]), states: reverted.map((is, i) => state(`s${i}`, is)) });
    expect([of(false, false), of(true, false), of(true, true)]).toEqual(['none', 'some', 'all']);
  });
});
