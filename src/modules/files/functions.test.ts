import { describe, expect, it } from 'vitest';
import { memoryContext } from '../../../test/harness/states/memory-context.ts';
import type { FilesDifference } from '../../wire/records/fileserver.ts';
import { runFunction } from '../run-function.ts';
import type { MirrorsAccess } from './mirrors-access.ts';

const NOTHING: FilesDifference = {
  set: 'states',
  directory: '/cache/states',
  revision: 7,
  mirrored: 7,
  added: [],
  changed: [],
  removed: [],
  omitted: 0,
  note: '',
};

async function diff(id: string, difference?: MirrorsAccess['difference']) {
  const { context } = memoryContext({});
  const mirrors = difference === undefined ? context.mirrors : { difference };
  const [result] = (
    await runFunction(
      { jid: context.jid as never, module: 'files.diff', id, args: {} },
      { ...context, mirrors },
    )
  ).results;
  return result;
}

describe('files.diff', () => {
  it('tells both sets, as records for programs and as lines for people', async () => {
    const result = await diff('', async (set) =>
      set === 'states'
        ? NOTHING
        : {
            ...NOTHING,
            set,
            mirrored: 6,
            added: ['mine'],
            changed: ['top.zy'],
            removed: ['gone'],
            omitted: 3,
            note: 'torn',
          },
    );
    expect(result?.details.result).toBe(
      [
        'states: revision 7 of 7, no difference',
        'settings: revision 6 of 7:',
        '  + mine',
        '  ~ top.zy',
        '  - gone',
        '  … and 3 more',
        '  torn',
      ].join('\n'),
    );
    expect(result?.data.result).toMatchObject([
      { name: 'states', revision: 7, mirrored: 7 },
      { name: 'settings', mirrored: 6, added: ['mine'], changed: ['top.zy'], removed: ['gone'], omitted: 3 },
    ]);
  });

  it('tells one set, refuses what is none, and says where there are no mirrors', async () => {
    expect((await diff('settings', async (set) => ({ ...NOTHING, set })))?.details.result).toMatch(
      /^settings: /,
    );
    expect((await diff('reactor', async () => NOTHING))?.error).toContain(
      'set must be states or settings, not reactor',
    );
    expect((await diff(''))?.error).toContain('MIRROR_NONE');
  });
});
