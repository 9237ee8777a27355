import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/harness/programs/run-command.ts';
import { testRuntime } from '../../../test/harness/servers/trusted-nats.ts';
import { initCaDir, leafIn, rotateIntermediate } from '../../trust/x509/ca-dir.ts';
import { caIssueCommand } from './ca-issue.ts';
import { caRenewCommand } from './ca-renew.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const { clock, random } = testRuntime;
const nowMs = () => clock.nowMs();

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'zester-renew-'));
  initCaDir(dir, random, nowMs(), { force: false });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const issue = (name: string, ...words: readonly string[]) =>
  runCommand(caIssueCommand, ['--dir', dir, '--name', name, '--dns', `${name}.example`, ...words]);
const renew = (...words: readonly string[]) =>
  runCommand(caRenewCommand, ['--dir', dir, '--name', 'nats', ...words]);
/** How long it is good from now on, in days. */
const daysLeft = () => Math.round((((leafIn(dir, 'nats')?.endsMs ?? 0) - nowMs()) / DAY_MS) * 100) / 100;

describe('ca renew', () => {
  it.each([
    ['the key of another', () => writeFileSync(`${dir}/nats.key`, readFileSync(`${dir}/other.key`))],
    ['no key', () => rmSync(`${dir}/nats.key`)],
  ])('heals a pair that a crash left with %s, and says why', async (_what, crash) => {
    await issue('nats');
    await issue('other');
    crash();
    expect(leafIn(dir, 'nats')?.hasItsKey).toBe(false);
    const healed = await renew();
    expect([healed.code, healed.out]).toEqual([
      0,
      expect.stringContaining('yes, because the key beside it was not its own'),
    ]);
    expect(leafIn(dir, 'nats')).toMatchObject({ hasItsKey: true, names: ['nats.example'] });
    expect((await renew()).out).toContain('not before');
  });

  it('gives the time that was asked for, again and again', async () => {
    await issue('nats', '--validity', '720h');
    for (let time = 0; time < 3; time++) {
      expect((await renew('--now')).code).toBe(0);
      expect(daysLeft()).toBe(30);
    }
    await renew('--now', '--validity', '48h');
    await renew('--now');
    expect(daysLeft()).toBe(2);
  });

  it('does not take the end of an old intermediate for what was asked for', async () => {
    // An intermediate that has an hour left: the root has no more.
    const rootLifeMs = 3650 * DAY_MS;
    initCaDir(dir, random, nowMs() - rootLifeMs + HOUR_MS, { force: true });
    rotateIntermediate(dir, random, nowMs());
    await issue('nats');
    expect(daysLeft()).toBeCloseTo(0.04);
    initCaDir(dir, random, nowMs(), { force: true });
    await renew('--now');
    expect(daysLeft()).toBe(90);
  });

  it('says what is missing, and which key is none', async () => {
    expect((await renew()).err).toContain('nats.crt does not exist');
    await issue('nats');
    writeFileSync(`${dir}/nats.key`, 'nonsense');
    const refused = await renew();
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('TRUST_CERTIFICATE_INVALID')]);
  });
});
