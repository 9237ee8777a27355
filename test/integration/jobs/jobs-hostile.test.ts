/**
 * A hostile peel on a real nats-server, root on its machine and with good credentials: whatever it writes wherever it may
 * write, jobs of others come out true; and what it forges to another peel is refused there.
 */

import { connect, headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolveTargets } from '../../../src/client/targets/resolve-targets.ts';
import type { Peel } from '../../../src/peel/peel-ports.ts';
import { newKsuid } from '../../../src/runtime/ids.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemRandom } from '../../../src/runtime/system-random.ts';
import { commandKeyOf } from '../../../src/trust/command-key.ts';
import { natsAuthenticator } from '../../../src/trust/nats-authenticator.ts';
import { curveKeyOf } from '../../../src/trust/nkeys.ts';
import { signCancelAsMaster } from '../../../src/trust/signed-proof.ts';
import { nanosFromMs } from '../../../src/wire/msgpack/time.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import { peelGrant } from '../../../src/wire/names/grants.ts';
import { PROOF_HEADER } from '../../../src/wire/names/headers.ts';
import type { Jid, PeelId } from '../../../src/wire/names/ids.ts';
import { consumerInfoSubject } from '../../../src/wire/names/jetstream.ts';
import {
  directGetLastSubject,
  inboxPrefix,
  kvStreamName,
  kvSubject,
} from '../../../src/wire/names/store-subjects.ts';
import { CONSUMERS, STREAMS } from '../../../src/wire/names/streams.ts';
import {
  commandSubject,
  jobCancelSubject,
  jobReturnSubject,
  subjectMatches,
} from '../../../src/wire/names/subjects.ts';
import { type ExecRequest, execRequestCodec } from '../../../src/wire/records/exec.ts';
import { FACT_KEYS, factsCodec } from '../../../src/wire/records/facts.ts';
import { peelHeartbeatCodec } from '../../../src/wire/records/heartbeat.ts';
import type { Job } from '../../../src/wire/records/job.ts';
import { ackCodec, type Row, rowCodec } from '../../../src/wire/records/job-return.ts';
import { formatProof } from '../../../src/wire/records/proof-header.ts';
import { resolveRequestCodec } from '../../../src/wire/records/target-resolve.ts';
import { clientOf } from '../../harness/client-of.ts';
import { JobsWorld } from '../../harness/jobs-world.ts';
import type { LogLine } from '../../harness/log-line.ts';
import { countingFunctions } from '../../harness/peel/peel-functions.ts';
import { testRuntime } from '../../harness/servers/trusted-nats.ts';
import { until } from '../../harness/until.ts';

const EVIL = 'evil' as PeelId;
const VICTIM = 'victim' as PeelId;
const FRAMES = 60;
const world = new JobsWorld();
const runs = new Map<string, number>();
let evil: NatsConnection;
/** With its true key, so that masters can prove commands to it. */
let putTrueFacts: () => void;
let victim: Peel;
let victimLines: readonly LogLine[];

beforeAll(async () => {
  await world.open(2);
  const functions = countingFunctions((key) => runs.set(key, (runs.get(key) ?? 0) + 1));
  ({ peel: victim, lines: victimLines } = await world.peel(VICTIM, { functions }));
  const creds = world.trust.creds('peel', EVIL);
  evil = await connect({
    servers: world.server.url,
    tls: { caFile: world.trust.caFile },
    authenticator: natsAuthenticator(() => creds),
    inboxPrefix: inboxPrefix(EVIL),
  });
  const facts = factsCodec.encode({ [FACT_KEYS.curvePublicKey]: curveKeyOf(creds.key).publicKey });
  putTrueFacts = () => evil.publish(kvSubject(BUCKETS.facts.name, EVIL), facts);
  putTrueFacts();
  await until(() => world.masters.every((master) => master.state().peels === 2), 'its facts to be known');
}, 60_000);
afterAll(async () => {
  await evil.close();
  await world.close();
});

const act = (key: string, ms: number, given: Partial<Job> = {}): Job =>
  world.job([VICTIM], { function: 'test.act', args: { run: key, ms }, ...given });
const newJid = () => newKsuid(systemClock, systemRandom) as Jid;

/** Valid records that lie, broken ones, and bytes of every sort; none is a return that `EVIL` might give of itself. */
function hostileFrames(jid: Jid): Uint8Array[] {
  const lie = (given: Partial<Row>) =>
    rowCodec.encode(rowCodec.create({ jid, peelId: EVIL, success: true, ...given }));
  const lies = [
    lie({ peelId: VICTIM }),
    lie({ unreachable: true, outcome: 'unreachable' }),
    lie({ jid: newJid() }),
    ackCodec.encode({ jid, peelId: VICTIM, timestamp: -1n, behind: '' }),
    execRequestCodec.encode(execRequestCodec.create({ jid, module: 'test.act', epoch: 1 })),
    factsCodec.encode({ [FACT_KEYS.curvePublicKey]: 'XNONE', id: VICTIM }),
    peelHeartbeatCodec.encode(peelHeartbeatCodec.create({ timestamp: 1n << 60n, since: 7n })),
    resolveRequestCodec.encode({ expr: 'E@((((a*)*)*)*)*$', type: '', wantFacts: true }),
  ];
  const broken = fc
    .tuple(fc.constantFrom(...lies), fc.nat(), fc.integer({ min: 0, max: 255 }))
    .map(([frame, at, byte]) => frame.map((old, i) => (i === at % frame.length ? byte : old)));
  const cut = fc
    .tuple(fc.constantFrom(...lies), fc.nat())
    .map(([frame, at]) => frame.slice(0, at % frame.length));
  const any = fc.oneof(broken, cut, fc.uint8Array({ maxLength: 400 }));
  const nested = new Uint8Array(100_000).fill(0x91);
  return [...lies, nested, ...fc.sample(any, { numRuns: FRAMES, seed: 42 })].filter(
    (frame) => !isOwnReturn(frame, jid),
  );
}

function isOwnReturn(frame: Uint8Array, jid: Jid): boolean {
  try {
    const value = rowCodec.decode(frame);
    return value.jid === jid && value.peelId === EVIL && !value.unreachable;
  } catch {
    return false;
  }
}

/** Every subject that its grant lets it publish on, with the wildcards filled in. */
function writableSubjects(jids: readonly string[]): string[] {
  const patterns = peelGrant(EVIL).pub;
  return [
    ...new Set(
      patterns.flatMap((pattern) =>
        jids.map((jid) => pattern.replace(/(?<=^|\.)\*(?=\.|$)/g, jid).replace(/>$/, 'a.b')),
      ),
    ),
  ];
}

/** Header bytes that the client library would refuse to write. */
const rawHeaders = (block: string) =>
  ({ encode: () => new TextEncoder().encode(block) }) as unknown as MsgHdrs;
const HEADER_BLOCKS = [
  'NATS/1.0\r\nbad name: x\r\n\r\n',
  'NATS/1.0 404 Message Not Found\r\n\r\n',
  'NATS/1.0 503\r\n\r\n',
  'NATS/1.0 nonsense',
];

/** The consumer that all masters share has worked off everything. */
async function returnsWorkedOff(): Promise<void> {
  const { stream, name } = CONSUMERS.lateReturns;
  await until(async () => {
    const asked = consumerInfoSubject(stream, name);
    const { data } = await world.admin.request(asked, new Uint8Array(), { timeoutMs: 2_000 });
    const info = JSON.parse(new TextDecoder().decode(data)) as {
      num_pending: number;
      num_ack_pending: number;
    };
    return info.num_pending === 0 && info.num_ack_pending === 0;
  }, 'the returns to be worked off');
}

describe('hostile frames on every subject that a peel may write', () => {
  it('change nothing for others: not a job, not a row, not a target, not a master', async () => {
    const alone = act('alone', 2_500);
    const both = act('both', 0, { targets: [VICTIM, EVIL] });
    for (const job of [alone, both]) await world.dispatch(job);
    const facts = world.admin.bucket(BUCKETS.facts.name);
    const factsBefore = await facts.getLatest(VICTIM);

    const subjects = writableSubjects([alone.jid, both.jid, newJid(), 'x']);
    const left = peelGrant(EVIL).pub.filter(
      (pattern) => !subjects.some((each) => subjectMatches(pattern, each)),
    );
    expect(left).toEqual([]);
    for (const jid of [alone.jid, both.jid]) {
      for (const frame of hostileFrames(jid)) {
        for (const subject of subjects) evil.publish(subject, frame);
        for (const subject of subjects) evil.publish(subject, frame, { reply: `${inboxPrefix(EVIL)}.x` });
      }
      await evil.flush();
    }
    for (const block of HEADER_BLOCKS)
      for (const subject of subjects)
        evil.publish(subject, Uint8Array.of(0xc1), { headers: rawHeaders(block) });
    // A good return, once of a job that is none of its business, once of its own.
    for (const { jid } of [alone, both]) {
      const own = { jid, peelId: EVIL, success: false, error: 'says evil' };
      evil.publish(jobReturnSubject(jid, EVIL), rowCodec.encode(rowCodec.create(own)));
    }
    await evil.flush();
    await returnsWorkedOff();
    // Stored as far as the stream takes words of one peel about one job.
    expect(await world.storedOn(jobReturnSubject(alone.jid, EVIL))).toBe(STREAMS.jobWords.perSubjectMax);

    expect(await world.ended(alone)).toMatchObject({ status: 'complete', returnCount: 1 });
    expect(await world.outcomes(alone)).toEqual({ [VICTIM]: 'returned' });
    expect(await world.ended(both)).toMatchObject({ status: 'failed', returnCount: 2, successCount: 1 });
    expect(await world.outcomes(both)).toEqual({ [VICTIM]: 'returned', [EVIL]: 'failed' });
    expect((await world.rows(both)).find((row) => row.peelId === EVIL)?.error).toBe('says evil');
    expect(await facts.getLatest(VICTIM)).toEqual(factsBefore);
    expect(await resolveTargets(clientOf(world.admin, testRuntime), '*')).toContain(VICTIM);
    expect(world.masters.map((master) => master.state().phase)).toEqual(['ready', 'ready']);
    expect(world.masterLines.filter((line) => line.level === 'error')).toEqual([]);
    const next = act('next', 0);
    await world.dispatch(next);
    expect(await world.ended(next)).toMatchObject({ status: 'complete' });
    expect(Object.fromEntries(runs)).toEqual({ alone: 1, both: 1, next: 1 });
    // A flood of messages is no flood of lines.
    expect(world.masterLines.length).toBeLessThan(300);
  }, 60_000);
});

describe('what one peel forges to another', () => {
  let forgeries = 0;

  /** Through the one way there is: the answer to a read of its own goes to the subject it names (peel-attacks.test.ts). */
  async function forge(subject: string, data: Uint8Array, proof?: string): Promise<void> {
    const key = `${EVIL}.forged-${forgeries++}`;
    const carried = headers();
    if (proof !== undefined) carried.set(PROOF_HEADER, proof);
    const stored = kvSubject(BUCKETS.basket.name, key);
    await evil.request(stored, data, { headers: carried, timeout: 5_000 });
    const read = directGetLastSubject(kvStreamName(BUCKETS.basket.name), stored);
    evil.publish(read, new Uint8Array(), { reply: subject });
  }

  const request = (key: string): Uint8Array => {
    const given: Partial<ExecRequest> = { module: 'test.act', epoch: 9, args: { run: key } };
    const deadline = nanosFromMs(systemClock.nowMs() + 60_000);
    return execRequestCodec.encode(execRequestCodec.create({ jid: newJid(), deadline, ...given }));
  };

  it('as a command or a cancel is refused, also with a true proof that was made for something else', async () => {
    const heard: { readonly data: Uint8Array; readonly proof: string }[] = [];
    evil.subscribe(commandSubject(EVIL), {
      callback: (_error, { data, headers: carried }) => {
        heard.push({ data, proof: carried?.get(PROOF_HEADER) ?? '' });
      },
    });
    await evil.flush();
    await world.dispatch(world.job([EVIL], { function: 'test.act', args: { run: 'replayed' } }));
    putTrueFacts();
    await until(() => heard.length > 0, 'a command of its own');
    const [mine] = heard;
    if (mine === undefined) throw new Error('no command');

    const job = act('running', 1_500);
    await world.dispatch(job);
    await until(() => runs.get('running') === 1, 'the job to run');
    const before = victim.state().counts.refused;
    const commandKey = commandKeyOf(world.trust.topology.control);
    const cancelOfAnother = formatProof(signCancelAsMaster(commandKey, newJid()));
    const command = commandSubject(VICTIM);
    await forge(command, request('unsigned'));
    await forge(command, mine.data, mine.proof);
    await forge(command, request('borrowed'), mine.proof);
    await forge(command, request('garbage'), 'v1.hmac.AAAA');
    await forge(command, new Uint8Array(2_000).fill(0x91), mine.proof);
    await forge(jobCancelSubject(job.jid), new Uint8Array());
    await forge(jobCancelSubject(job.jid), new Uint8Array(), cancelOfAnother);
    await forge(jobCancelSubject(job.jid), new Uint8Array(), mine.proof);
    await evil.flush();
    await until(() => victim.state().counts.refused - before >= 8, 'all of them to arrive');

    expect(await world.ended(job)).toMatchObject({ status: 'complete', successCount: 1 });
    expect(victim.state().counts).toMatchObject({ refused: before + 8, canceled: 0 });
    const forged = ['unsigned', 'replayed', 'borrowed', 'garbage'];
    expect(forged.filter((key) => runs.has(key))).toEqual([]);
    const reasons = victimLines.filter((line) => line.msg === 'refused a message').map((line) => line.reason);
    expect(reasons).toEqual([
      'no proof',
      'proof does not fit',
      'proof does not fit',
      'no proof',
      'proof does not fit',
      'no proof',
      'proof does not fit',
      'wrong kind of proof',
    ]);
    expect(world.masterLines.filter((line) => line.level === 'error')).toEqual([]);
  }, 60_000);
});
