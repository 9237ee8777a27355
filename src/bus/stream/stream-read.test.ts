import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_BYTES, NO_HEADERS } from '../connection.ts';
import type { StoredMessage } from '../port.ts';
import { readRange } from './stream-read.ts';

const messageAt = (sequence: number): StoredMessage => ({
  subject: 's',
  data: NO_BYTES,
  headers: NO_HEADERS,
  sequence,
  publishedMs: 0,
});

/** What a replica that has these messages says. */
const replica = (sequences: readonly number[]) => async (first: number) => {
  const found = sequences.find((sequence) => sequence >= first);
  return found === undefined ? undefined : messageAt(found);
};

async function visited(
  askNext: (first: number) => Promise<StoredMessage | undefined>,
  first: number,
  last: number,
): Promise<number[]> {
  const seen: number[] = [];
  await readRange(askNext, { first, last }, ({ sequence }) => seen.push(sequence));
  return seen;
}

const streams = fc
  .uniqueArray(fc.integer({ min: 1, max: 20_000 }), { maxLength: 600, size: 'max' })
  .map((sequences) => sequences.sort((a, b) => a - b));

describe('readRange', () => {
  it('visits every message of the range once, in order, however they lie', async () => {
    await fc.assert(
      fc.asyncProperty(
        streams,
        fc.integer({ min: 1, max: 20_000 }),
        fc.integer({ min: 1, max: 20_000 }),
        async (sequences, a, b) => {
          const [first, last] = [Math.min(a, b), Math.max(a, b)];
          const wanted = sequences.filter((sequence) => sequence >= first && sequence <= last);
          expect(await visited(replica(sequences), first, last)).toEqual(wanted);
        },
      ),
    );
  });

  it('leaves out nothing before what it visits, whichever replica lags by how much at each question', async () => {
    await fc.assert(
      fc.asyncProperty(streams, fc.integer(), fc.array(fc.nat(600)), async (sequences, seed, lags) => {
        let asked = seed & 0xff;
        const askNext = (first: number) => {
          const lag = lags.length === 0 ? 0 : (lags[asked++ % lags.length] ?? 0);
          return replica(sequences.slice(0, sequences.length - lag))(first);
        };
        const seen = await visited(askNext, 1, sequences.at(-1) ?? 0);
        expect(seen).toEqual(sequences.slice(0, seen.length));
      }),
    );
  });

  it('a wide range is read in several places at once', async () => {
    const sequences = Array.from({ length: 5_000 }, (_, i) => i + 1);
    let inFlight = 0;
    let most = 0;
    const askNext = async (first: number) => {
      most = Math.max(most, ++inFlight);
      const answer = await replica(sequences)(first);
      inFlight -= 1;
      return answer;
    };
    expect(await visited(askNext, 1, 5_000)).toEqual(sequences);
    expect(most).toBe(32);
  });
});
