import { describe, expect, it } from 'vitest';
import { clientOf } from '../../../test/harness/client-of.ts';
import { ensureAssets } from '../../bus/assets.ts';
import { openBus } from '../../bus/bus.ts';
import { MemoryServer } from '../../bus/memory/memory-server.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { jsonLog } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { ALL_STREAMS } from '../../wire/names/streams.ts';
import {
  DISPATCH_SUBJECT,
  jobReturnSubject,
  QUEUES,
  TARGET_RESOLVE_SUBJECT,
} from '../../wire/names/subjects.ts';
import { dispatchReplyCodec } from '../../wire/records/dispatch-reply.ts';
import { type ExecResponse, execResponseCodec, stateResultCodec } from '../../wire/records/exec.ts';
import { factsCodec } from '../../wire/records/facts.ts';
import { peelHeartbeatCodec } from '../../wire/records/heartbeat.ts';
import { type Job, jobCodec } from '../../wire/records/job.ts';
import { returnCodec } from '../../wire/records/job-return.ts';
import { resolveRequestCodec, resolveResponseCodec } from '../../wire/records/target-resolve.ts';
import { readExplanation, readSettings } from './read-settings.ts';

const WEB = 'web-01' as PeelId;

interface Peel {
  /** What it answers to a job; undefined: nothing. */
  readonly answers: (job: Job) => Partial<ExecResponse> | Uint8Array | undefined;
  readonly isThere?: boolean;
}

/** One peel, one master that sends its job on, and somebody who asks. */
async function askWith<T>(
  { answers, isThere = true }: Peel,
  ask: (client: ReturnType<typeof clientOf>) => Promise<T>,
): Promise<{
  readonly value?: T;
  readonly code?: string;
  readonly message?: string;
  readonly jobs: readonly Job[];
}> {
  const clock = virtualClock();
  const random = seededRandom(3);
  const runtime = { clock, random, log: jsonLog({ clock, write: () => undefined, level: 'error' }) };
  const server = new MemoryServer({ clock, random });
  const master = openBus(server.connect({ role: 'master', name: 'm' }), runtime);
  const admin = openBus(server.connect({ role: 'admin', name: 'a' }), runtime);
  const jobs: Job[] = [];
  const begun = (async () => {
    await master.connected();
    const buckets = [BUCKETS.jobs, BUCKETS.jobReturns, BUCKETS.facts, BUCKETS.peelHeartbeat];
    await ensureAssets(master, { buckets, streams: ALL_STREAMS, objectStores: [] }, 1);
    await master.bucket(BUCKETS.facts.name).put(WEB, factsCodec.encode({}));
    if (isThere)
      await master
        .bucket(BUCKETS.peelHeartbeat.name)
        .put(WEB, peelHeartbeatCodec.encode(peelHeartbeatCodec.create({})));
    await master.subscribe(
      TARGET_RESOLVE_SUBJECT,
      ({ data, reply = '' }) => {
        const peels = resolveRequestCodec.decode(data).expr === `L@${WEB}` ? [WEB] : [];
        master.publish(reply, resolveResponseCodec.encode({ peels, facts: {}, error: '', code: '' }));
      },
      { queue: QUEUES.targetResolvers },
    );
    await master.subscribe(
      DISPATCH_SUBJECT,
      ({ data, reply = '' }) => {
        const job = jobCodec.decode(data);
        jobs.push(job);
        master.publish(reply, dispatchReplyCodec.encode({ jid: job.jid }));
        const said = answers(job);
        if (said === undefined) return;
        const from = { jid: job.jid, peelId: WEB };
        const response =
          said instanceof Uint8Array
            ? said
            : execResponseCodec.encode(execResponseCodec.create({ ...from, ...said }));
        const row = returnCodec.create({ ...from, success: true, returnData: response });
        void master.append(jobReturnSubject(job.jid, WEB), returnCodec.encode(row), {});
      },
      { queue: QUEUES.masters },
    );
    return ask(clientOf(admin, runtime));
  })();
  let isDone = false;
  const ended = begun.then(
    (value) => ({ value, jobs }),
    (error: unknown) => {
      if (!isZesterError(error)) throw error;
      return { code: error.code, message: error.message, jobs };
    },
  );
  void ended.finally(() => {
    isDone = true;
  });
  while (!isDone) await clock.advance(100);
  return ended;
}

const result = (data: WireMap): Partial<ExecResponse> => ({
  success: true,
  results: [stateResultCodec.create({ name: 'settings.items', data })],
});
const SETTINGS: WireMap = { web: { port: 80, names: ['a'] }, password: '[secret password]' };
const hasSettings: Peel = { answers: () => result({ result: SETTINGS }) };
const asked = { name: WEB, timeoutMs: 10_000 };

describe('readSettings', () => {
  it('runs settings.items on the peel as a job, and gives what it answered, or what is at a key', async () => {
    const all = await askWith(hasSettings, (client) => readSettings(client, asked, undefined));
    expect(all.value).toEqual({ peel: WEB, value: SETTINGS });
    expect(all.jobs.map(({ function: name, targets, user }) => [name, targets, user])).toEqual([
      ['settings.items', [WEB], 'tester'],
    ]);
    const one = await askWith(hasSettings, (client) =>
      readSettings(client, { ...asked, name: 'web-01' }, 'web:names:0'),
    );
    expect(one.value?.value).toBe('a');
  });

  it.each([
    ['wbe', 'web-01 has no setting wbe; did you mean web?'],
    ['web.prot', 'web-01 has no setting web.prot; did you mean web.port?'],
    ['web.zzzzzz', 'web-01 has no setting web.zzzzzz'],
  ])('says that there is no %s', async (key, message) => {
    expect(await askWith(hasSettings, (client) => readSettings(client, asked, key))).toMatchObject({
      code: 'CLI_SETTING_UNKNOWN',
      message,
    });
  });

  it.each<readonly [string, Partial<Peel>, string, string]>([
    ['is away', { isThere: false }, 'CLI_PEEL_AWAY', 'web-01 is not there to be asked: it has no heartbeat'],
    ['is silent', { answers: () => undefined }, 'CLI_PEEL_SILENT', 'web-01 did not answer in time'],
    [
      'fails',
      { answers: () => ({ success: false, error: 'the settings cannot be used' }) },
      'CLI_PEEL_FAILED',
      'web-01 could not answer: the settings cannot be used',
    ],
    [
      'fails in the function',
      { answers: () => ({ success: false, results: [stateResultCodec.create({ error: 'no' })] }) },
      'CLI_PEEL_FAILED',
      'web-01 could not answer: no',
    ],
    [
      'says nonsense',
      { answers: () => Uint8Array.of(0xa1, 0x78) },
      'CLI_PEEL_FAILED',
      expect.stringContaining('cannot be read') as string,
    ],
    [
      'answers something else',
      { answers: () => result({ result: [1] }) },
      'CLI_PEEL_FAILED',
      expect.stringContaining('not that of the function') as string,
    ],
    [
      'has no result',
      { answers: () => ({ success: true }) },
      'CLI_PEEL_FAILED',
      expect.stringContaining('no answer') as string,
    ],
  ])('a peel that %s', async (_, peel, code, message) => {
    const ended = await askWith({ ...hasSettings, ...peel }, (client) =>
      readSettings(client, asked, undefined),
    );
    expect(ended).toMatchObject({ code, message });
  });

  it('asks nobody for a peel that is not known', async () => {
    const ended = await askWith(hasSettings, (client) =>
      readSettings(client, { ...asked, name: 'web-1' }, undefined),
    );
    expect(ended).toMatchObject({ code: 'CLI_PEEL_UNKNOWN', jobs: [] });
    expect(ended.message).toContain('did you mean web-01?');
  });
});

describe('readExplanation', () => {
  it('gives a record, and takes nothing else for one', async () => {
    const source = { at: 'a.zy:1:1', value: 80, pattern: '*', top: 'top.zy:2:5', included_from: [] };
    const record = {
      ...{ key: 'web.port', found: true, value: 80, strategy: 'smart', lists: 'replace', near: '' },
      ...{ set_by: [source], overrode: [], replaced_by: [] },
    };
    const ask = (data: WireMap) =>
      askWith({ answers: () => result(data) }, (client) => readExplanation(client, asked, 'web.port'));
    const told = await ask({ result: record });
    expect(told.value).toEqual({ peel: WEB, explanation: record });
    expect(told.jobs[0]).toMatchObject({ function: 'settings.explain', stateId: 'web.port' });
    expect(await ask({ result: { ...record, set_by: 'x' } })).toMatchObject({ code: 'CLI_PEEL_FAILED' });
  });
});
