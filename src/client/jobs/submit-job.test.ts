import { describe, expect, it } from 'vitest';
import { clientOf } from '../../../test/harness/client-of.ts';
import { openBus } from '../../bus/bus.ts';
import { MemoryServer } from '../../bus/memory/memory-server.ts';
import type { ZesterError } from '../../core/errors/zester-error.ts';
import { newKsuid } from '../../runtime/ids.ts';
import { jsonLog } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { DISPATCH_SUBJECT, QUEUES } from '../../wire/names/subjects.ts';
import { type DispatchReply, dispatchReplyCodec } from '../../wire/records/dispatch-reply.ts';
import { jobCodec } from '../../wire/records/job.ts';
import { type DispatchDelay, submitJob } from './submit-job.ts';

const PENDING = {
  error: 'claim pending: master m has taken job j and not sent it yet [MASTER_CLAIM_PENDING]',
  code: 'MASTER_CLAIM_PENDING',
};
const STOPPING = { error: 'this master is stopping [MASTER_STOPPING]', code: 'MASTER_STOPPING' };

interface Ended {
  readonly code: string;
  readonly atMs: number;
  readonly message?: string;
  readonly reasonCode?: string | undefined;
}

/**
 * What comes of a dispatch when a master answers so at each moment; undefined is no answer. It is there from `fromMs` on; the server
 * is gone until `awayMs`.
 */
async function dispatchTo(answerAt: (ms: number) => DispatchReply | undefined, fromMs = 0, awayMs = 0) {
  const clock = virtualClock();
  const random = seededRandom(3);
  const runtime = { clock, random, log: jsonLog({ clock, write: () => undefined, level: 'error' }) };
  const server = new MemoryServer({ clock, random });
  const master = openBus(server.connect({ role: 'master', name: 'm' }), runtime);
  const admin = openBus(server.connect({ role: 'admin', name: 'a' }), runtime);
  await clock.advance(1);
  const answer = ({ reply = '' }: { reply: string | undefined }) => {
    const value = answerAt(clock.monotonicMs());
    if (value !== undefined) master.publish(reply, dispatchReplyCodec.encode(value));
  };
  const listen = () => master.subscribe(DISPATCH_SUBJECT, answer, { queue: QUEUES.masters });
  if (fromMs === 0) await listen();
  else clock.after(fromMs, () => void listen());
  if (awayMs > 0) server.stop();
  clock.after(awayMs, () => server.start());
  const jid = newKsuid(clock, random) as Jid;
  const job = jobCodec.create({ jid, function: 'test.ping', status: 'pending', created: 0n, updated: 0n });
  const ended: Ended = { code: 'none', atMs: 0 };
  const note = (code: string) => Object.assign(ended, { code, atMs: clock.monotonicMs() });
  const delays: DispatchDelay[] = [];
  void submitJob(clientOf(admin, runtime), job, (delay) => delays.push(delay)).then(
    () => note('dispatched'),
    (error: ZesterError) => {
      note(error.code);
      Object.assign(ended, { message: error.message, reasonCode: error.reasonCode });
    },
  );
  await clock.advance(120_000);
  return { ...ended, delays };
}

const jid = { jid: '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid };

describe('a dispatch', () => {
  it('that is refused for good is not repeated', async () => {
    const ended = await dispatchTo(() => ({
      error: 'job id j belongs to another job [MASTER_JID_TAKEN]',
      code: 'MASTER_JID_TAKEN',
    }));
    expect(ended).toMatchObject({ code: 'CLI_DISPATCH_REFUSED', reasonCode: 'MASTER_JID_TAKEN' });
    expect(ended.atMs).toBeLessThan(100);
  });

  it.each([
    ['one that stops', (ms: number) => (ms < 20_000 ? STOPPING : jid)],
    ['one that answers late', (ms: number) => (ms < 20_000 ? undefined : jid)],
    ['one that adopts it', (ms: number) => (ms < 60_000 ? PENDING : jid)],
    [
      'one that says so and is lost once',
      (ms: number) => (ms < 40_000 ? PENDING : ms < 44_000 ? undefined : jid),
    ],
  ])('outlasts %s', async (_what, answerAt) => {
    expect((await dispatchTo(answerAt)).code).toBe('dispatched');
  });

  it('ends in doubt after half a minute without a master', async () => {
    for (const fromMs of [0, 100_000]) {
      const ended = await dispatchTo(() => undefined, fromMs);
      expect(ended.code).toBe('CLI_DISPATCH_UNKNOWN');
      expect(ended.atMs).toBeGreaterThan(30_000);
      expect(ended.atMs).toBeLessThan(37_000);
    }
  });

  it('waits for an adoption, but not for ever', async () => {
    const ended = await dispatchTo(() => PENDING);
    expect(ended.code).toBe('CLI_DISPATCH_UNKNOWN');
    expect(ended.atMs).toBeGreaterThan(60_000);
    expect(ended.atMs).toBeLessThan(80_000);
  });

  it('tells each reason once, as data', async () => {
    const { delays } = await dispatchTo((ms) => (ms < 2_000 ? STOPPING : ms < 4_000 ? PENDING : jid));
    expect(delays).toEqual([
      { reason: 'refused', said: 'this master is stopping', retryForMs: 30_000 },
      {
        reason: 'pending',
        said: 'claim pending: master m has taken job j and not sent it yet',
        retryForMs: 75_000,
      },
    ]);
  });

  it('says that no master is there when none has come back in a moment, and not before', async () => {
    const inTime = await dispatchTo(() => jid, 2_000);
    expect(inTime).toMatchObject({ code: 'dispatched', delays: [] });
    const late = await dispatchTo(() => jid, 6_000);
    expect(late).toMatchObject({
      code: 'dispatched',
      delays: [{ reason: 'no-master', retryForMs: 30_000 }],
    });
  });

  it('says that nobody could be asked when its connection has not come back in a moment, and not before', async () => {
    expect(await dispatchTo(() => jid, 0, 2_000)).toMatchObject({ code: 'dispatched', delays: [] });
    expect(await dispatchTo(() => jid, 0, 6_000)).toMatchObject({
      code: 'dispatched',
      delays: [{ reason: 'cannot-ask', retryForMs: 30_000 }],
    });
  });

  it('keeps the brackets of a master that are not the code beside its words', async () => {
    const error = 'this master is stopping [MASTER_BUSY]';
    const { delays } = await dispatchTo((ms) => (ms < 2_000 ? { ...STOPPING, error } : jid));
    expect(delays).toEqual([{ reason: 'refused', said: error, retryForMs: 30_000 }]);
  });

  it('goes by the code alone, not by what the words say', async () => {
    const said = 'not sent yet, and it does not matter how I put it';
    const { code } = await dispatchTo((ms) => (ms < 60_000 ? { ...PENDING, error: said } : jid));
    expect(code).toBe('dispatched');
  });

  it.each([
    ['a master from before the code', ''],
    ['a newer master, with a code that is not known here', 'MASTER_OF_TOMORROW'],
  ])('that %s refuses is tried again: it may have the job', async (_who, code) => {
    const words = 'claim pending: another master has it [MASTER_CLAIM_PENDING]';
    const refusal = { error: words, code };
    expect((await dispatchTo((ms) => (ms < 20_000 ? refusal : jid))).code).toBe('dispatched');
    const ended = await dispatchTo(() => refusal);
    // Never “was not dispatched”: a second job for the same work would run it twice.
    expect(ended.code).toBe('CLI_DISPATCH_UNKNOWN');
    expect(ended.delays).toEqual([{ reason: 'refused', said: words, retryForMs: 30_000 }]);
  });
});
