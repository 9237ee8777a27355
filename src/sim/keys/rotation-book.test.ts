import { describe, expect, it } from 'vitest';
import type { Stored } from '../../bus/memory/memory-jetstream.ts';
import { masterKeysOf } from '../../master/master-ports.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { fleetKeyOf } from '../../trust/fleet-key.ts';
import { newSigningKey } from '../../trust/nkeys.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { FLEET_KEYS_KEY, generationKey } from '../../wire/names/keys.ts';
import { kvSubject } from '../../wire/names/store-subjects.ts';
import {
  type FleetGeneration,
  fleetGenerationCodec,
  fleetKeyListCodec,
} from '../../wire/records/fleet-key/fleet-keys.ts';
import { RotationBook } from './rotation-book.ts';

const random = seededRandom(3);
const account = newSigningKey('account', random);
const seed = newSigningKey('account', random);

function setUp() {
  const broken: string[] = [];
  let nowMs = 0;
  const book = new RotationBook({ account, nowMs: () => nowMs, broke: (rule) => broken.push(rule) });
  return {
    book,
    broken,
    write: (generation: number, phase: FleetGeneration['phase'], given: Partial<FleetGeneration> = {}) => {
      const record: FleetGeneration = {
        seed: masterKeysOf(account).vault.seal({ of: 'fleet', generation }, seed, seededRandom(generation)),
        curve: 'X',
        command: 'c',
        phase,
        created: nanosFromMs(0),
        createdBy: 'sim',
        request: 'r',
        overlapMinMs: 1_000,
        overlapMaxMs: 9_000,
        ended: undefined,
        ...given,
      };
      const subject = kvSubject(BUCKETS.fleetKeys.name, generationKey(generation));
      book.stored({ subject, data: fleetGenerationCodec.encode(record) } as Stored);
    },
    list: (...generations: number[]) => {
      const keys = generations.map((generation) => ({
        generation,
        curve: 'X',
        command: 'c',
        since: undefined,
        until: undefined,
      }));
      const subject = kvSubject(BUCKETS.secrets.name, FLEET_KEYS_KEY);
      book.stored({
        subject,
        data: fleetKeyListCodec.encode({ keys, agents: [], renewSpreadMs: 0 }),
      } as Stored);
    },
    passed: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe('the book of rotations', () => {
  it('follows rotations, and knows which key nobody may accept any more', () => {
    const { book, broken, write, list, passed } = setUp();
    write(2, 'overlap');
    list(2, 1);
    expect([book.newest, book.isOverlap, book.retiredFor(0)]).toEqual([2, true, undefined]);
    passed(1_000);
    write(2, 'final');
    expect(book.retiredFor(0)).toBeUndefined();
    list(2);
    passed(50);
    expect([book.isOverlap, book.retiredFor(50)?.generation, book.retiredFor(51)]).toEqual([
      false,
      1,
      undefined,
    ]);
    expect(book.keyOf(2)?.curveKey.publicKey).toBe(fleetKeyOf(2, seed).curveKey.publicKey);
    write(3, 'overlap');
    expect(broken).toEqual([]);
  });

  it('says when an overlap is too short, a generation is replaced, or two rotations run at once', () => {
    const { broken, write } = setUp();
    write(2, 'overlap');
    write(3, 'overlap');
    write(2, 'final');
    write(2, 'final', { command: 'd' });
    write(2, 'overlap', { command: 'd' });
    expect(broken).toEqual([
      'one rotation at a time',
      'an overlap is long enough',
      'a generation is never replaced',
      'a generation is never replaced',
    ]);
  });
});
