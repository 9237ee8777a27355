import { describe, expect, it } from 'vitest';
import type { RawMessage } from '../../bus/connection.ts';
import type { Stored } from '../../bus/memory/memory-jetstream.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { KV_OPERATION_HEADER } from '../../wire/names/headers.ts';
import type { EnrollmentId, Jid, PeelId } from '../../wire/names/ids.ts';
import { enrolledPeelKey } from '../../wire/names/keys.ts';
import { kvSubject } from '../../wire/names/store-subjects.ts';
import { PEEL_WORD_STREAMS } from '../../wire/names/streams.ts';
import { jobReturnSubject } from '../../wire/names/subjects.ts';
import { type Enrollment, enrollmentCodec } from '../../wire/records/enroll/enrollment.ts';
import { SimEnroll } from './sim-enroll.ts';

const WEB = 'web-1' as PeelId;
const ID = `enr-${'0'.repeat(27)}` as EnrollmentId;
const JID = '0'.repeat(27) as Jid;
const ROW = `${JID}.${WEB}`;
const NOW = nanosFromMs(1_000_000);
const LATER_MS = 10_000;

function setUp() {
  const broken: string[] = [];
  let nowMs = 0;
  const enroll = new SimEnroll({ nowMs: () => nowMs, broke: (rule) => broken.push(rule) });
  const hear = enroll.masterStarted('master-1');
  const recordIn = (state: Enrollment['state']): Enrollment =>
    enrollmentCodec.create({
      id: ID,
      peelId: WEB,
      publicKey: 'UA',
      curvePublicKey: 'XA',
      state,
      createdAt: NOW,
      updatedAt: NOW,
    });
  const told = (key: string, data: Uint8Array) =>
    hear({
      subject: kvSubject(BUCKETS.enrollments.name, key),
      data,
      headers: new Map(),
    } as unknown as RawMessage);
  return {
    enroll,
    broken,
    recordIn,
    passed: () => {
      nowMs += LATER_MS;
    },
    hears: (state: Enrollment['state']) => {
      told(enrolledPeelKey(WEB), Buffer.from(ID));
      told(ID, enrollmentCodec.encode(recordIn(state)));
    },
    says: (key: string) =>
      enroll.stored({ role: 'peel', name: WEB, key }, {
        stream: PEEL_WORD_STREAMS[0]?.name ?? '',
        subject: jobReturnSubject(JID, WEB),
        data: new Uint8Array(0),
        headers: new Map(),
      } as unknown as Stored),
    writesFacts: (isGone: boolean) =>
      enroll.stored({ role: 'peel', name: WEB }, {
        stream: '',
        subject: kvSubject(BUCKETS.facts.name, WEB),
        data: new Uint8Array(0),
        headers: new Map(isGone ? [[KV_OPERATION_HEADER, 'DEL']] : []),
      } as unknown as Stored),
  };
}

describe('what is known of revoked peels', () => {
  it('is broken by a command of a master that has known for a while, and not of one that was told late', () => {
    const { enroll, broken, hears, passed } = setUp();
    enroll.commanded('master-1', WEB);
    hears('active');
    passed();
    enroll.commanded('master-1', WEB);
    hears('revoked');
    enroll.commanded('master-1', WEB);
    expect(broken).toEqual([]);
    passed();
    expect(enroll.isKnownShutOut(WEB)).toBe(true);
    enroll.commanded('master-1', WEB);
    expect(broken).toEqual(['a revoked peel gets no command']);
    hears('active');
    expect(enroll.isKnownShutOut(WEB)).toBe(false);
  });

  it('is broken by a row that only words after the acknowledgement explain', () => {
    const { enroll, broken, recordIn, hears, says, passed } = setUp();
    says('UA');
    expect(enroll.isTainted(ROW)).toBe(false);
    hears('revoked');
    enroll.acknowledged(recordIn('revoked'));
    says('UA');
    expect([enroll.isTainted(ROW), enroll.counts.words]).toEqual([true, 1]);
    enroll.rowFromRevoked('master-1', ROW, WEB);
    expect(broken).toEqual([]);
    passed();
    enroll.rowFromRevoked('master-1', ROW, WEB);
    expect(broken).toEqual(['what a revoked peel says has no effect']);
  });

  it('includes what is left of them', () => {
    const { enroll, writesFacts } = setUp();
    writesFacts(false);
    expect(enroll.leftOf(WEB)).toEqual([BUCKETS.facts.name]);
    writesFacts(true);
    expect(enroll.leftOf(WEB)).toEqual([]);
  });
});
