import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchDir } from '../../../test/harness/programs/program.ts';
import { nameChanges, nameValues, withFiles } from './name-values.ts';

describe('tags and facts on the command line', () => {
  it('are set and removed', () => {
    expect(nameChanges(['role=web', 'rack-', 'a.b=x=y', 'empty='])).toEqual({
      set: { role: 'web', 'a.b': 'x=y', empty: '' },
      remove: ['rack'],
    });
    expect(nameValues(['role=web'])).toEqual({ role: 'web' });
  });

  it.each([['role'], ['=web'], ['-'], ['ro le=web'], ['role=web', 'role=db'], ['role=web', 'role-']])(
    '%j %j is a mistake',
    (...words) => {
      expect(() => nameChanges(words)).toThrow(expect.objectContaining({ code: 'ENROLL_PAIR' }));
    },
  );

  it('cannot be removed where there are none yet', () => {
    expect(() => nameValues(['role-'])).toThrow(expect.objectContaining({ code: 'ENROLL_PAIR' }));
  });

  it('come from a file where the value says so', () => {
    const dir = scratchDir();
    writeFileSync(join(dir, 'licence.txt'), 'hunter22\n');
    expect(withFiles({ licence: '@licence.txt', plain: 'x' }, dir)).toEqual({
      licence: 'hunter22',
      plain: 'x',
    });
    expect(() => withFiles({ licence: '@nothing.txt' }, dir)).toThrow(
      expect.objectContaining({ code: 'ENROLL_PAIR' }),
    );
  });
});
