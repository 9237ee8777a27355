import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { MasterWorld } from '../../../test/harness/master/master-world.ts';
import { rowFor, rowOf } from '../../core/jobs/target-row.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { jobReturnKey } from '../../wire/names/keys.ts';
import { jobCodec } from '../../wire/records/job.ts';
import { type Row, rowCodec } from '../../wire/records/job-return.ts';
import { addRow, persistRow } from './persist-row.ts';

const makeWorld = closedAfterEach(() => new MasterWorld());
const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const web = 'web-0' as PeelId;

const returned = (error: string): Row => rowOf(rowCodec.create({ jid: JID, peelId: web, error }));
/** Of a master whose ownership is this old. */
const silent = (epoch: number): Row => {
  const job = jobCodec.create({ jid: JID, function: 'test.ping', targets: [web], status: 'running', epoch });
  const target = {
    peel: web,
    acked: undefined,
    heartbeatAge: undefined,
    isCanceled: false,
    isGivenUp: false,
  };
  return rowFor(job, target, 1n);
};

describe('a row', () => {
  it.each([
    ['a real return', returned('a'), 'another real return', returned('b'), 'the first', 'a'],
    ['a real return', returned('a'), 'the row of a silent target', silent(9), 'the first', 'a'],
    ['the row of a silent target', silent(9), 'a real return', returned('b'), undefined, 'b'],
    ['the row of a silent target', silent(5), 'one of a later owner', silent(9), undefined, silent(9).error],
  ])('%s is followed by %s', async (_first, first, _second, second, answer, error) => {
    const world = makeWorld();
    const context = await world.context();
    expect(await world.settled(persistRow(context, first), 'the first')).toBeUndefined();
    const stood = await world.settled(persistRow(context, second), 'the second');
    expect(stood).toEqual(answer === undefined ? undefined : first);
    const [row] = await world.rows(JID);
    expect(row).toEqual(stood === undefined ? second : first);
    expect(row?.error).toBe(error);
  });

  it('of an owner that has lost the job does not replace its successor’s', async () => {
    const world = makeWorld();
    const context = await world.context();
    await world.settled(persistRow(context, silent(9)), 'the successor');
    expect(await world.settled(persistRow(context, silent(5)), 'the old owner')).toBeUndefined();
    expect((await world.rows(JID))[0]?.proof?.epoch).toBe(9);
  });

  it('takes the place of bytes that are none', async () => {
    const world = makeWorld();
    const context = await world.context();
    const bucket = world.admin.bucket(BUCKETS.jobReturns.name);
    await world.settled(bucket.put(jobReturnKey(JID, web), Uint8Array.of(0xc1)), 'nonsense');
    await world.settled(persistRow(context, returned('a')), 'a return');
    expect((await world.rows(JID)).map((row) => row.error)).toEqual(['a']);
  });

  it('is added only where there is none', async () => {
    const world = makeWorld();
    const context = await world.context();
    expect(await world.settled(addRow(context, returned('a')), 'the first')).toBe(true);
    expect(await world.settled(addRow(context, returned('b')), 'the second')).toBe(false);
    expect((await world.rows(JID)).map((row) => row.error)).toEqual(['a']);
  });
});
