import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { jobCodec } from '../../wire/records/job.ts';
import { inOrder } from './job-order.ts';

const job = (jid: string, createdMs: number) =>
  jobCodec.create({
    jid: jid as Jid,
    function: 'test.ping',
    status: 'complete',
    created: nanosFromMs(createdMs),
  });

describe('inOrder', () => {
  it('is by the time of making, also within one second where ids are no help; then by id', () => {
    const jobs = [job('d', 1_002), job('b', 1_500), job('c', 1_001), job('a', 1_500)];
    expect(inOrder(jobs).map(({ jid }) => jid)).toEqual(['c', 'd', 'a', 'b']);
  });

  it('does not depend on the order of the records', () => {
    const jobs = fc.uniqueArray(fc.tuple(fc.string(), fc.integer({ min: 1, max: 3 })), {
      selector: ([jid]) => jid,
    });
    fc.assert(
      fc.property(jobs, (made) => {
        const list = made.map(([jid, createdMs]) => job(jid, createdMs));
        expect(inOrder([...list].reverse())).toEqual(inOrder(list));
      }),
    );
  });
});
