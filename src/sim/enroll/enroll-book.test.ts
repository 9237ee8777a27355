import { describe, expect, it } from 'vitest';
import type { Stored } from '../../bus/memory/memory-jetstream.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { KV_OPERATION_HEADER } from '../../wire/names/headers.ts';
import type { ChallengeId, EnrollmentId, JoinTokenId, PeelId } from '../../wire/names/ids.ts';
import { enrolledPeelKey } from '../../wire/names/keys.ts';
import { kvStreamName, kvSubject } from '../../wire/names/store-subjects.ts';
import { type Enrollment, enrollmentCodec } from '../../wire/records/enroll/enrollment.ts';
import { type JoinToken, joinTokenCodec } from '../../wire/records/enroll/join-token.ts';
import { EnrollBook } from './enroll-book.ts';

const WEB = 'web-1' as PeelId;
const NOW = nanosFromMs(1_000_000);
const enrollment = (n: number) => `enr-${'0'.repeat(26)}${n}` as EnrollmentId;
const TOKEN = `tok-${'0'.repeat(27)}` as JoinTokenId;

function setUp() {
  const broken: string[] = [];
  let nowMs = 0;
  const book = new EnrollBook({ nowMs: () => nowMs, broke: (rule) => broken.push(rule) });
  const stored = (bucket: string, key: string, value: Uint8Array | undefined) =>
    book.stored({
      stream: kvStreamName(bucket),
      subject: kvSubject(bucket, key),
      data: value ?? new Uint8Array(0),
      headers: new Map(value === undefined ? [[KV_OPERATION_HEADER, 'DEL']] : []),
    } as unknown as Stored);
  const write = (n: number, given: Partial<Enrollment>) => {
    const key = given.publicKey ?? 'UA';
    const record = enrollmentCodec.create({
      id: enrollment(n),
      peelId: WEB,
      publicKey: key,
      curvePublicKey: `X${key}`,
      state: 'pending',
      createdAt: NOW,
      updatedAt: NOW,
      ...given,
    });
    stored(BUCKETS.enrollments.name, record.id, enrollmentCodec.encode(record));
  };
  return {
    book,
    broken,
    write,
    erase: (n: number) => stored(BUCKETS.enrollments.name, enrollment(n), undefined),
    point: (n: number) => stored(BUCKETS.enrollments.name, enrolledPeelKey(WEB), Buffer.from(enrollment(n))),
    token: (given: Partial<JoinToken>) =>
      stored(
        BUCKETS.joinTokens.name,
        TOKEN,
        joinTokenCodec.encode(
          joinTokenCodec.create({
            id: TOKEN,
            hash: 'a'.repeat(64),
            usesMax: 1,
            peelPattern: 'web-*',
            createdAt: NOW,
            expiresAt: NOW,
            ...given,
          }),
        ),
      ),
    /** A machine that an operator lets in, up to its credentials. */
    letIn: (n: number, publicKey: string) => {
      book.approving(enrollment(n));
      for (const state of ['pending', 'approved', 'issued'] as const)
        write(n, { publicKey, state, decidedBy: state === 'pending' ? '' : 'sim' });
    },
    passed: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe('the book of enrollments', () => {
  it('has nothing to say of a machine that is let in, revoked and let in again', () => {
    const { broken, point, letIn, write } = setUp();
    point(1);
    letIn(1, 'UA');
    write(1, { state: 'active' });
    write(1, { state: 'revoked' });
    point(2);
    letIn(2, 'UB');
    expect(broken).toEqual([]);
  });

  it('knows since when one machine has had an id', () => {
    const { book, point, letIn, write, passed } = setUp();
    point(1);
    letIn(1, 'UA');
    passed(10);
    expect([book.isSteady(WEB, 5), book.isSteady(WEB, 0), book.isSteady('db-1' as PeelId, 5)]).toEqual([
      true,
      false,
      false,
    ]);
    write(1, { state: 'revoked' });
    expect(book.isSteady(WEB, 5)).toBe(false);
  });

  it('says when two machines hold one id', () => {
    const { broken, letIn } = setUp();
    letIn(1, 'UA');
    letIn(2, 'UB');
    expect(broken).toEqual(['no two machines hold one peel id']);
  });

  it('says when an id is taken from a key that holds it, and not when the same key takes it', () => {
    const { broken, point, letIn, write } = setUp();
    point(1);
    letIn(1, 'UA');
    write(2, { publicKey: 'UA', state: 'approved', decidedBy: `carried over from ${enrollment(1)}` });
    point(2);
    expect(broken).toEqual([]);
    write(3, { publicKey: 'UB' });
    point(3);
    expect(broken).toEqual(['an id is not taken from the key that holds it']);
  });

  it('says when somebody joins whom nobody let in', () => {
    const { broken, write } = setUp();
    write(1, {});
    write(1, { state: 'approved', decidedBy: 'nobody' });
    write(2, { state: 'approved', decidedBy: `carried over from ${enrollment(1)}`, publicKey: 'UB' });
    expect(broken).toEqual(['nobody joins whom nobody let in', 'nobody joins whom nobody let in']);
  });

  it('says when a step is left out, a machine becomes another, or what was decided is removed', () => {
    const { broken, write, erase, letIn } = setUp();
    write(1, {});
    write(1, { state: 'issued' });
    letIn(2, 'UA');
    write(2, { state: 'issued', publicKey: 'UC' });
    erase(2);
    expect(broken).toEqual([
      'an enrollment goes step by step',
      'an enrollment is of one machine',
      'what was decided about a machine stays on record',
    ]);
  });

  it('says when a token lets in too many, does not count, or does not cover', () => {
    const { broken, write, token } = setUp();
    const approve = (n: number, peelId: PeelId) => {
      for (const state of ['pending', 'approved'] as const)
        write(n, { peelId, state, decidedBy: state === 'pending' ? '' : `token:${TOKEN}` });
    };
    token({ enrollments: [enrollment(1)] });
    approve(1, WEB);
    expect(broken).toEqual([]);
    approve(2, WEB);
    token({ usesMax: 3, enrollments: [enrollment(4)] });
    approve(3, WEB);
    token({ usesMax: 9, enrollments: [enrollment(4)] });
    approve(4, 'db-1' as PeelId);
    expect(broken).toEqual([
      'a token lets in no more machines than it says',
      'a token lets in no more machines than it says',
      'a token lets in only what it covers',
    ]);
  });

  it('says when a token lets a machine in whose id was revoked, and not when it only enrolled again', () => {
    const { broken, write, token, letIn } = setUp();
    const approve = (n: number) => {
      for (const state of ['pending', 'approved'] as const)
        write(n, { state, decidedBy: state === 'pending' ? '' : `token:${TOKEN}` });
    };
    token({ usesMax: 9, enrollments: [enrollment(2), enrollment(3)] });
    letIn(1, 'UA');
    write(1, { publicKey: 'UA', state: 'revoked', supersededBy: enrollment(2) });
    approve(2);
    expect(broken).toEqual([]);
    write(2, { state: 'revoked' });
    approve(3);
    expect(broken).toEqual(['a token lets nobody in whose id was revoked']);
  });

  it('says when credentials are handed out, or a challenge is answered, twice', () => {
    const { book, broken } = setUp();
    for (let times = 0; times < 2; times++) {
      book.handedOut(enrollment(1));
      book.submitted('chl-1' as ChallengeId);
    }
    expect(broken).toEqual([
      'credentials of an enrollment are handed out once',
      'a challenge is answered once',
    ]);
  });

  it('promises nothing of what a server has forgotten', () => {
    const { book, broken, letIn } = setUp();
    const restore = book.snapshot();
    letIn(1, 'UA');
    restore();
    expect([book.records.size, book.forgotten]).toEqual([0, true]);
    letIn(2, 'UA');
    letIn(3, 'UB');
    expect(broken).toEqual([]);
  });
});
