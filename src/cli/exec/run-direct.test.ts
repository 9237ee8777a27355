import { describe, expect, it } from 'vitest';
import { clientOf } from '../../../test/harness/client-of.ts';
import { typedInput } from '../../../test/harness/programs/run-command.ts';
import { openAgentBus, openBus } from '../../bus/bus.ts';
import { MemoryServer } from '../../bus/memory/memory-server.ts';
import { jsonLog } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { commandKeyOf } from '../../trust/command-key.ts';
import { newSigningKey } from '../../trust/nkeys.ts';
import { newOperatorKey } from '../../trust/operator-key.ts';
import { msFromNanos } from '../../wire/msgpack/time.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { commandSubject, directAnswerSubject } from '../../wire/names/subjects.ts';
import { execRequestCodec, execResponseCodec } from '../../wire/records/exec.ts';
import type { CliContext } from '../program/command.ts';
import { ASCII_GLYPHS } from '../returns/glyphs.ts';
import { paintFor } from '../terminal/paint.ts';
import { leftAlone, runDirect } from './run-direct.ts';

const [WEB, DB] = ['web-01', 'db-01'] as [PeelId, PeelId];

it('who leaves is told until when it may run where nothing was heard, not that it runs', () => {
  expect(leftAlone([WEB, DB], new Map([[DB, {}]]), 1_770_733_845_000).message).toBe(
    'interrupted while waiting for 1 of 2 peels to answer: what was asked may run there until 2026-02-10T14:30:45Z, and its answer is lost: web-01',
  );
});

type AtDeadline = 'says that it cut it off' | 'says nothing' | 'is not there';

/** What `--direct … timeout=1s` prints and its exit code, when the peel does that at the deadline. */
async function directlyTo(peelDoes: AtDeadline) {
  const clock = virtualClock();
  const random = seededRandom(3);
  const runtime = { clock, random, log: jsonLog({ clock, write: () => undefined, level: 'error' }) };
  const server = new MemoryServer({ clock, random });
  const admin = openBus(server.connect({ role: 'admin', name: 'a' }), runtime);
  const peel = openAgentBus(server.connect({ role: 'peel', name: WEB }), runtime);
  await clock.advance(1);
  if (peelDoes !== 'is not there')
    await peel.subscribe(commandSubject(WEB), ({ data }) => {
      if (peelDoes === 'says nothing') return;
      const { jid, deadline = 0n } = execRequestCodec.decode(data);
      const error = 'execution canceled: the deadline passed';
      const answer = execResponseCodec.create({ jid, peelId: WEB, success: false, error });
      clock.after(msFromNanos(deadline) - clock.nowMs(), () =>
        peel.publish(directAnswerSubject(jid, WEB), execResponseCodec.encode(answer)),
      );
    });
  const key = newOperatorKey(random, commandKeyOf(newSigningKey('account', random)), {
    name: 'ann',
    issued: 0n,
    expires: undefined,
  });
  const ended = { code: -1, out: '' };
  const context: CliContext = {
    runtime,
    program: 'zester',
    env: {},
    cwd: '/',
    out: (text) => {
      ended.out += text;
    },
    say: () => undefined,
    interrupted: new AbortController().signal,
    isTerminal: false,
    input: typedInput({}),
    columns: () => 80,
  };
  const words = { target: WEB, functionName: 'cmd.run', id: 'sleep 100', args: {} };
  const look = { paint: paintFor(false), glyphs: ASCII_GLYPHS, stateOutput: 'full' } as const;
  const show = { format: 'text', look, attachCommand: () => '' } as const;
  const run = { words, call: { ...words, timeoutMs: 1_000 }, targets: [WEB], show };
  const running = runDirect(context, clientOf(admin, runtime, { operatorKey: () => key }), run);
  await clock.advance(60_000);
  return { ...ended, code: await running };
}

describe('a direct request that runs into its deadline', () => {
  it.each<[AtDeadline, number, RegExp]>([
    ['says that it cut it off', 2, /^web-01:\n.*execution canceled: the deadline passed\n$/],
    ['says nothing', 3, /^web-01:\n.*NO ANSWER within 1s: it was connected .* may have run or still run\n$/],
    ['is not there', 3, /^web-01:\n.*UNREACHABLE: not connected\n$/],
  ])('the peel %s', async (peelDoes, code, words) => {
    expect(await directlyTo(peelDoes)).toEqual({ code, out: expect.stringMatching(words) });
  });
});
