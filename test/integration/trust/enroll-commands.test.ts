/**
 * The commands about enrollments, join tokens and tags, on a real nats-server with a real master: what they print and how they end is
 * what the master answered, and nothing secret is printed or travels.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBus } from '../../../src/bus/bus.ts';
import { openTable } from '../../../src/bus/kv/table.ts';
import {
  enrollApproveCommand,
  enrollRejectCommand,
  enrollRevokeCommand,
} from '../../../src/cli/enroll/enroll-decide.ts';
import { enrollListCommand } from '../../../src/cli/enroll/enroll-list.ts';
import { enrollShowCommand } from '../../../src/cli/enroll/enroll-show.ts';
import {
  enrollTokenCreateCommand,
  enrollTokenListCommand,
  enrollTokenRevokeCommand,
} from '../../../src/cli/enroll/enroll-token.ts';
import { peelListCommand, peelShowCommand } from '../../../src/cli/peel/peel-list.ts';
import { peelTagCommand } from '../../../src/cli/peel/peel-tag.ts';
import type { Command } from '../../../src/cli/program/command.ts';
import { digest } from '../../../src/runtime/digest.ts';
import { newKsuid } from '../../../src/runtime/ids.ts';
import { credsPath } from '../../../src/trust/auth-dir.ts';
import { formatCreds } from '../../../src/trust/creds.ts';
import { nanosFromMs } from '../../../src/wire/msgpack/time.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import type { EnrollmentId, JoinTokenId, PeelId } from '../../../src/wire/names/ids.ts';
import { enrolledPeelKey } from '../../../src/wire/names/keys.ts';
import { type Enrollment, enrollmentCodec } from '../../../src/wire/records/enroll/enrollment.ts';
import { FACT_KEYS, factsCodec } from '../../../src/wire/records/facts.ts';
import { TABLES } from '../../../src/wire/records/tables.ts';
import { JobsWorld } from '../../harness/jobs-world.ts';
import { scratchDir } from '../../harness/programs/program.ts';
import { type CommandEnd, runCommand, type TypedInput } from '../../harness/programs/run-command.ts';
import { testRuntime } from '../../harness/servers/trusted-nats.ts';
import { until } from '../../harness/until.ts';

const world = new JobsWorld();
const authDir = join(scratchDir(), 'auth');

beforeAll(async () => {
  await world.open(1);
  const { jwt, key } = world.trust.creds('admin', 'admin');
  const path = credsPath(authDir, 'admin');
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, formatCreds(jwt, key), { mode: 0o600 });
}, 60_000);
afterAll(() => world.close());

const run = (command: Command, words: readonly string[], typed?: TypedInput): Promise<CommandEnd> =>
  runCommand(
    command,
    ['--nats-url', world.server.url, '--auth-dir', authDir, '--ca', world.trust.caFile, ...words],
    typed,
  );
const json = async (command: Command, ...words: readonly string[]) =>
  JSON.parse((await run(command, [...words, '--format', 'json'])).out);

/** A machine that asks to join, as the door leaves it. */
async function asks(peel: string, said: Partial<Enrollment> = {}): Promise<EnrollmentId> {
  const id = `enr-${newKsuid(testRuntime.clock, testRuntime.random)}` as EnrollmentId;
  const now = nanosFromMs(testRuntime.clock.nowMs());
  const record = enrollmentCodec.create({
    ...{ id, peelId: peel as PeelId, publicKey: `U${id}`, curvePublicKey: 'X', state: 'pending' },
    ...{ createdAt: now, updatedAt: now, hostname: `${peel}.example`, remoteAddress: '192.0.2.7' },
    trustChecked: true,
    ...said,
  });
  const bucket = world.admin.bucket(BUCKETS.enrollments.name);
  await bucket.put(id, enrollmentCodec.encode(record));
  await bucket.put(enrolledPeelKey(peel as PeelId), Buffer.from(id));
  return id;
}

async function stored(id: EnrollmentId): Promise<Enrollment> {
  const read = await openTable(world.admin, TABLES.enrollments).getLatest(id);
  return read.is === 'found' ? read.value : expect.unreachable(`${id} is ${read.is}`);
}

describe('zester enroll', () => {
  it('lists who asks, approves with tags and facts, and shows what became of it', async () => {
    const id = await asks('web-01');
    const list = await run(enrollListCommand, ['--state', 'pending']);
    expect(list.out).toMatch(
      new RegExp(`${id} +web-01 +web-01.example +192.0.2.7 +pending +ok +- +- +\\d+s ago`),
    );
    const words = [id, '--tag', 'role=web', '--fact', 'licence=hunter22'];
    const approved = await run(enrollApproveCommand, words);
    expect(approved).toMatchObject({ code: 0, err: '' });
    expect(approved.out).toMatch(new RegExp(`^web-01 \\(${id}\\): approved by \\S+, 20.*Z; role=web\\n$`));
    const record = await stored(id);
    expect(record).toMatchObject({
      state: 'approved',
      tags: { role: 'web' },
      facts: {},
      sealedFacts: { licence: expect.stringMatching(/^1 ENC\[nkey,/) },
    });
    const again = await run(enrollApproveCommand, [id]);
    expect([again.code, (await stored(id)).tags]).toEqual([0, { role: 'web' }]);
    const shown = await run(enrollShowCommand, ['web-01']);
    expect(shown.out).toMatch(/ state +approved\n/);
    expect(shown.out).toContain('It may fetch its credentials');
    const all = [shown.out, (await run(enrollShowCommand, [id, '--format', 'json'])).out].join('');
    expect(all).toContain('licence');
    expect(all).not.toContain('hunter22');
  });

  it('says why a master refuses, and goes on with the others', async () => {
    const [good, bad] = [await asks('mix-1'), await asks('mix-2', { trustMismatch: true })];
    const words = ['--peel', 'mix-*', '--yes'];
    const end = await run(enrollApproveCommand, words);
    expect(end.code).toBe(2);
    expect(end.err).toMatch(/mix-2.*MISMATCH!/);
    expect(end.out).toMatch(/mix-1 .*: approved by/);
    expect(end.out).toMatch(/mix-2 .*goes by another CA/);
    expect([(await stored(good)).state, (await stored(bad)).state]).toEqual(['approved', 'pending']);
    const [told] = await json(enrollApproveCommand, bad);
    expect(told).toMatchObject({ outcome: 'refused', state: 'pending', code: 'ENROLL_TRUST_MISMATCH' });
    const forced = await run(enrollApproveCommand, [bad, '--force']);
    expect([forced.code, (await stored(bad)).state]).toEqual([0, 'approved']);
  });

  it('asks before it decides about whatever matches', async () => {
    const ids = [await asks('ask-1'), await asks('ask-2')];
    const states = async () => Promise.all(ids.map(async (id) => (await stored(id)).state));
    const all = ['--peel', 'ask-*', '--reason', 'not ours'];
    for (const typed of [{}, { lines: [''] }, { lines: ['n'] }]) {
      const end = await run(enrollRejectCommand, all, typed);
      expect([end.code, end.out]).toEqual([1, '']);
      expect(end.err).toMatch(
        /ask-1[\s\S]*ask-2[\s\S]*2 enrollments would be rejected, and nobody confirmed it/,
      );
    }
    expect(await states()).toEqual(['pending', 'pending']);
    const end = await run(enrollRejectCommand, all, { lines: ['y'] });
    expect([end.code, await states()]).toEqual([0, ['rejected', 'rejected']]);
    expect((await stored(ids[0] as EnrollmentId)).rejectReason).toBe('not ours');
  });

  it('revokes, and says what was not confirmed', async () => {
    const id = await asks('gone-1', { state: 'active' });
    const end = await run(enrollRevokeCommand, ['--peel', 'gone-1', '--reason', 'stolen']);
    expect(end.out).toMatch(new RegExp(`^gone-1 \\(${id}\\): revoked by `));
    expect((await stored(id)).state).toBe('revoked');
    // The exit code and the words go together: done everywhere, or not confirmed.
    expect(end.code).toBe(end.out.includes('not confirmed: ') ? 3 : 0);
    // Asked again it is the same revocation, by name as well as by id.
    expect(await run(enrollRevokeCommand, ['--peel', 'gone-1'])).toEqual(end);
    const nobody = await run(enrollRevokeCommand, ['--peel', 'nobody-1']);
    expect([nobody.code, nobody.out]).toEqual([
      2,
      expect.stringMatching(/^nobody-1: .*nobody knows a peel nobody-1/),
    ]);
    expect(await json(enrollRevokeCommand, '--peel', 'nobody-1')).toMatchObject([
      { id: '', peel_id: 'nobody-1', outcome: 'refused', code: 'ENROLL_PEEL_UNKNOWN', servers: 0 },
    ]);
  });

  it.each<[string, readonly string[], Command]>([
    ['ENROLL_WHICH', [], enrollApproveCommand],
    ['ENROLL_WHICH', ['--all-pending', '--peel', 'x'], enrollApproveCommand],
    ['ENROLL_WHICH', ['web-01'], enrollApproveCommand],
    ['ENROLL_NO_MATCH', ['enr-2hPx1FNsSgJMqVn5bLSTXeBQMpO'], enrollApproveCommand],
    ['ENROLL_NO_MATCH', ['--peel', 'nobody-*'], enrollApproveCommand],
    ['CLI_OPTION_VALUE', ['--peel', '[x'], enrollApproveCommand],
    ['ENROLL_PAIR', ['--all-pending', '--tag', 'role'], enrollApproveCommand],
    ['ENROLL_NO_MATCH', ['nobody'], enrollShowCommand],
    ['CLI_MISSING_OPTION', [], enrollTokenCreateCommand],
    ['ENROLL_NO_MATCH', ['tok-x.hunter22'], enrollTokenRevokeCommand],
    ['CLI_MISSING_OPTION', ['web-01'], peelTagCommand],
  ])('does nothing where it is not clear what is meant: %s %j', async (code, words, command) => {
    const { code: exit, err, out } = await run(command, words);
    expect([exit, out]).toEqual([1, '']);
    expect(err).toContain(`[${code}]`);
    expect(err).not.toContain('hunter22');
  });
});

describe('a join token of a peel that is revoked', () => {
  it('is named while it is good, with the command that takes it back', async () => {
    const made = await json(enrollTokenCreateCommand, '--peel', 'tok-*', '--uses', '3');
    const by = (peel: string) => asks(peel, { state: 'active', joinToken: made.id });
    const first = await run(enrollRevokeCommand, [await by('tok-01')]);
    expect(first.err).toContain(
      `join token ${made.id}, by which it came, still lets in 3 more machines under ids tok-*`,
    );
    expect(first.err).toContain(`enroll token revoke ${made.id} `);
    await run(enrollTokenRevokeCommand, [made.id]);
    const second = await run(enrollRevokeCommand, [await by('tok-02')]);
    expect([first.out, second.out].join('')).toMatch(/tok-01 .*: revoked by[\s\S]*tok-02 .*: revoked by/);
    expect(second.err).not.toContain('join token');
  });
});

describe('zester enroll token', () => {
  it('prints the token alone, once, and its secret half does not travel', async () => {
    const sent: string[] = [];
    const line = openBus(world.trust.connect([world.server.url], 'master', 'listener'), testRuntime);
    await line.connected();
    await line.subscribe('zester.admin.>', ({ data }) => {
      sent.push(Buffer.from(data).toString('latin1'));
    });
    const words = ['--peel', 'db-*', '--uses', '3', '--expires', '30m', '--tag', 'role=db'];
    const { code, out, err } = await run(enrollTokenCreateCommand, words);
    const [, id = '', secret = ''] = /^(tok-\w{27})\.([\w-]{43})\n$/.exec(out) ?? [];
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^Lets in 3 machines under ids db-\* until .*role=db/),
    ]);
    expect(err).not.toContain(secret);
    expect(sent).toHaveLength(1);
    expect(sent.join('')).toContain('db-*');
    expect(sent.join('')).not.toContain(secret);
    await line.close();
    const read = await openTable(world.admin, TABLES.joinTokens).getLatest(id as JoinTokenId);
    const hash = Buffer.from(digest('sha256', Buffer.from(secret))).toString('hex');
    expect(read.is === 'found' && read.value).toMatchObject({ hash, usesMax: 3, peelPattern: 'db-*' });
    expect((await run(enrollTokenListCommand, [])).out).toMatch(new RegExp(`${id} +db-\\* +0 of 3 +good`));
    // The whole text is taken as well, and only its public half goes on.
    const revoked = await run(enrollTokenRevokeCommand, [`${id}.${secret}`]);
    expect([revoked.code, revoked.out]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^${id}: revoked by `)),
    ]);
    expect(await json(enrollTokenListCommand)).toContainEqual(
      expect.objectContaining({ id, state: 'revoked' }),
    );
    expect((await run(enrollTokenRevokeCommand, ['tok-2hPx1FNsSgJMqVn5bLSTXeBQMpO'])).code).toBe(2);
  });
});

describe('zester peel tag', () => {
  it('changes what operators say, which targets and lists then know', async () => {
    const id = await asks('tag-1', { state: 'active', tags: { rack: 'r1' } });
    const facts = factsCodec.encode({ os: { name: 'linux' }, [FACT_KEYS.curvePublicKey]: 'X' });
    await world.admin.bucket(BUCKETS.facts.name).put('tag-1', facts);
    await until(() => (world.masters[0]?.state().peels ?? 0) > 0, 'the peel to be known');
    const words = ['tag-1', 'role=web', 'rack-', '--fact', 'licence=hunter22'];
    const end = await run(peelTagCommand, words);
    expect(end).toEqual({ code: 0, out: 'tag-1: role=web; facts licence\n', err: '' });
    expect(await stored(id)).toMatchObject({ tags: { role: 'web' }, facts: {} });
    expect((await run(peelListCommand, [])).out).toMatch(/tag-1 .* role=web\n/);
    const shown = await run(peelShowCommand, ['tag-1']);
    expect(shown.out).toContain('tags:\n  role: web\n');
    expect(shown.out).not.toContain('hunter22');
    await run(peelTagCommand, ['tag-1', '--fact', 'licence-']);
    expect({ ...(await stored(id)).sealedFacts }).toEqual({});
    const refused = await run(peelTagCommand, ['tag-1', '--fact', 'os=linux']);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('ENROLL_COMMAND_REFUSED')]);
    const nobody = await run(peelTagCommand, ['nobody', 'role=web']);
    expect([nobody.code, nobody.err]).toEqual([2, expect.stringContaining('has no enrollment')]);
  });
});
