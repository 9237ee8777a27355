/**
 * A peel that is kept out, on a real nats-server with a real master: what it and the operator are told, that it comes back by itself when
 * the ban ends with what it had to say, and that an operator can let it in before.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTable } from '../../../src/bus/kv/table.ts';
import { peelListCommand, peelShowCommand } from '../../../src/cli/peel/peel-list.ts';
import { peelUnbanCommand } from '../../../src/cli/peel/peel-unban.ts';
import type { Command } from '../../../src/cli/program/command.ts';
import { jsonLog } from '../../../src/runtime/log.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { credsPath } from '../../../src/trust/auth-dir.ts';
import { formatCreds } from '../../../src/trust/creds.ts';
import { nanosFromMs } from '../../../src/wire/msgpack/time.ts';
import type { PeelId } from '../../../src/wire/names/ids.ts';
import { TABLES } from '../../../src/wire/records/tables.ts';
import { HonestWorld } from '../../harness/flood/honest-world.ts';
import type { LogLine } from '../../harness/log-line.ts';
import { scratchDir } from '../../harness/programs/program.ts';
import { type CommandEnd, runCommand } from '../../harness/programs/run-command.ts';
import { testRuntime } from '../../harness/servers/trusted-nats.ts';
import { until } from '../../harness/until.ts';

const PEEL = 'web-01' as PeelId;
const HOUR_MS = 3_600_000;
const world = new HonestWorld();
const authDir = join(scratchDir(), 'auth');
const said: LogLine[] = [];
const log = jsonLog({
  clock: systemClock,
  write: (text) => said.push(JSON.parse(text) as LogLine),
  level: 'info',
});
let line: ReturnType<HonestWorld['line']>;

const run = (command: Command, ...words: readonly string[]): Promise<CommandEnd> =>
  runCommand(command, [
    ...['--nats-url', world.server.url, '--auth-dir', authDir, '--ca', world.trust.caFile],
    ...words,
  ]);
const isIn = () => line.status() === 'connected';

/** As the guard of another master writes it; the keeper of the accounts does the rest. */
async function ban(ms: number): Promise<void> {
  const nowMs = systemClock.nowMs();
  await openTable(world.admin, TABLES.floodBans).put(PEEL, {
    peelId: PEEL,
    publicKey: world.credsOf(PEEL).key.publicKey,
    since: nanosFromMs(nowMs),
    until: nanosFromMs(nowMs + ms),
    count: 1,
    reason: 'sent 9 messages (0 MiB) in 1 s and took 0',
    noticedBy: 'm',
    liftedBy: '',
  });
  await until(() => !isIn(), 'it to be out');
}

beforeAll(async () => {
  await world.begin();
  const { jwt, key } = world.trust.creds('admin', 'admin');
  const path = credsPath(authDir, 'admin');
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, formatCreds(jwt, key), { mode: 0o600 });
  line = world.line(PEEL, world.server.url, { ...testRuntime, log });
  await world.peelOn(PEEL, line).ready;
  await until(() => world.masters.every((master) => master.state().peelsOnline >= 3), 'the peel');
}, 60_000);
afterAll(() => world.close(), 60_000);

describe('a peel that is kept out', () => {
  it('comes back by itself when the ban ends, with what it has done meanwhile', async () => {
    const job = world.job([PEEL], { function: 'test.sleep', args: { seconds: 4 } as never });
    await world.dispatch(job);
    await until(async () => (await world.record(job))?.status === 'running', 'the job');
    await ban(5_000);
    const endsMs = systemClock.nowMs() + 4_000;
    expect((await run(peelListCommand)).out).toMatch(/web-01 .* banned until \d{4}-/);
    await until(isIn, 'it to be back', 20_000);
    expect(systemClock.nowMs()).toBeGreaterThan(endsMs - 1_500);
    expect((await world.ended(job)).status).toBe('complete');
    // One line, however often it knocked.
    expect(said.map(({ msg, error }) => [msg, (error as { code?: string }).code])).toEqual([
      ['NATS keeps us out; we go on trying', 'BUS_CREDENTIALS'],
    ]);
    const late = await run(peelUnbanCommand, PEEL);
    expect([late.code, late.err]).toEqual([2, expect.stringContaining('not kept out by the flood guard')]);
  }, 60_000);

  it('is let in by an operator, whose name stays with the ban', async () => {
    await ban(HOUR_MS);
    expect(JSON.parse((await run(peelShowCommand, PEEL, '--format', 'json')).out)).toMatchObject({
      banned_until: expect.stringMatching(/^\d{4}-/),
      banned_because: 'sent 9 messages (0 MiB) in 1 s and took 0',
    });
    const end = await run(peelUnbanCommand, PEEL);
    expect([end.code, end.err]).toEqual([0, '']);
    expect(end.out).toMatch(
      /^web-01: may connect again, by \w+, .*; it was cut off because it sent 9 messages/,
    );
    await until(isIn, 'it to be back', 20_000);
    const [stored] = await world.bans();
    expect(stored?.liftedBy).not.toBe('');
    expect(end.out).toContain(`by ${stored?.liftedBy}`);
    const [told] = world.masterLines.filter(({ msg }) => msg === 'a ban was lifted');
    expect(told).toMatchObject({ peel: PEEL, by: stored?.liftedBy });
    // Asked again, as the program does when no answer comes.
    expect((await run(peelUnbanCommand, PEEL)).code).toBe(0);
    const nobody = await run(peelUnbanCommand, 'nobody');
    expect([nobody.code, nobody.err]).toEqual([2, expect.stringContaining('ENROLL_COMMAND_REFUSED')]);
    expect((await run(peelShowCommand, PEEL)).out).not.toContain('banned');
  }, 60_000);
});
