import { describe, expect, it } from 'vitest';
import { typedInput } from '../../../test/harness/programs/run-command.ts';
import { jsonLog } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { execResponseCodec, stateResultCodec } from '../../wire/records/exec.ts';
import { rowCodec } from '../../wire/records/job-return.ts';
import { ASCII_GLYPHS } from '../returns/glyphs.ts';
import { paintFor } from '../terminal/paint.ts';
import { JobDisplay } from './job-display.ts';

const jid = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;

function returned(peel: string, name: string) {
  const peelId = peel as PeelId;
  const results = [stateResultCodec.create({ name, details: { result: 'true' } })];
  const returnData = execResponseCodec.encode(
    execResponseCodec.create({ jid, peelId, success: true, results }),
  );
  return rowCodec.create({ jid, peelId, success: true, returnData });
}

function display() {
  const clock = virtualClock();
  let out = '';
  const shown = new JobDisplay(
    {
      runtime: {
        clock,
        random: seededRandom(1),
        log: jsonLog({ clock, write: () => undefined, level: 'error' }),
      },
      program: 'zester',
      env: {},
      cwd: '/',
      out: (text) => {
        out += text;
      },
      say: () => undefined,
      interrupted: new AbortController().signal,
      isTerminal: false,
      input: typedInput({}),
      columns: () => 80,
    },
    {
      format: 'text',
      look: { paint: paintFor(false), glyphs: ASCII_GLYPHS, stateOutput: 'terse' },
      attachCommand: () => '',
    },
    { isTest: false, leftMs: 0 },
  );
  return { clock, shown, out: () => out };
}

describe('JobDisplay', () => {
  it('shows an answer at once', async () => {
    const { clock, shown, out } = display();
    shown.note({ kind: 'return', value: returned('a', 'test.ping') });
    await clock.advance(200);
    expect(out()).toBe('a:\n    true\n');
  });

  it('gathers state runs while they keep coming, so that those that are alike are one', async () => {
    const { clock, shown, out } = display();
    for (const peel of ['a', 'b', 'c']) {
      shown.note({ kind: 'return', value: returned(peel, 'file.touch:/x') });
      await clock.advance(2_000);
    }
    expect(out()).toBe('');
    await clock.advance(2_000);
    expect(out()).toContain('a, b, c: (3 peels: no changes)');
  });
});
