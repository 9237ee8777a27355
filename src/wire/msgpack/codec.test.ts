import { describe, expect, it } from 'vitest';
import { JID, MASTER, PEEL, SAMPLES } from '../../../test/fixtures/go/samples.ts';
import { TARGETS_MAX } from '../names/limits.ts';
import { execRequestCodec } from '../records/exec.ts';
import { jobCodec } from '../records/job.ts';
import { rowCodec } from '../records/job-return.ts';
import { encodeValue } from './msgpack-encode.ts';
import { GO_ZERO_TIME } from './time.ts';
import { WireError } from './wire-error.ts';
import { ENCODED_NIL, type WireMap } from './wire-value.ts';

const job = (map: WireMap) => jobCodec.decode(encodeValue({ jid: JID, status: 'running', ...map }));
const failing = (path: string, problem: string) =>
  expect.objectContaining({ name: 'WireError', path, problem });

describe('a record', () => {
  it('ignores unknown keys, whatever they hold', () => {
    const read = job({ future: { deep: [1, { x: null }] }, user: 'bob', also: 'new' });
    expect(read.user).toBe('bob');
    expect(Object.keys(read)).toEqual(Object.keys(jobCodec.fields));
  });

  it('reads missing keys and nil as zero values', () => {
    const absent = job({});
    const nil = job(
      Object.fromEntries(
        Object.values(jobCodec.fields)
          .map(({ key }) => [key, null])
          .slice(1, 5),
      ),
    );
    expect(nil).toEqual(absent);
    expect(absent).toMatchObject({
      function: '',
      args: {},
      targets: [],
      timeout: 0n,
      created: GO_ZERO_TIME,
      owner: undefined,
      epoch: 0,
      deadline: undefined,
      metadata: {},
    });
  });

  it('reads what Go leaves empty as unset', () => {
    expect(job({ owner: '', epoch: 0 }).owner).toBeUndefined();
    const zero = Uint8Array.of(0xc7, 12, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xf1, 0x88, 0x6e, 9, 0);
    const bytes = encodeValue({ jid: JID, status: 'running' });
    const withDeadline = Uint8Array.of(0x83, ...bytes.subarray(1), ...encodeValue('deadline'), ...zero);
    expect(jobCodec.decode(withDeadline).deadline).toBeUndefined();
  });

  it('has no empty form of an id, and says which is missing', () => {
    expect(() => jobCodec.decode(encodeValue({}))).toThrow(failing('jid', 'is missing'));
    expect(() => jobCodec.decode(encodeValue({ jid: '' }))).toThrow(failing('jid', 'is not a job id'));
    expect(() => jobCodec.decode(encodeValue({ jid: JID }))).toThrow(failing('status', 'is missing'));
  });

  it('refuses a key that comes twice', () => {
    const twice = Uint8Array.of(0x82, ...encodeValue('v'), 1, ...encodeValue('v'), 2);
    expect(() => jobCodec.decode(twice)).toThrow(failing('v', 'comes twice'));
  });

  it.each<[string, WireMap, string, string]>([
    ['a peel id that is a wildcard', { targets: ['web-01', 'x', '*'] }, 'targets[2]', 'is not a peel id'],
    ['a target that is no text', { targets: [1] }, 'targets[0]', 'is not text'],
    ['a target that is nil', { targets: [null] }, 'targets[0]', 'is missing'],
    ['targets that are no list', { targets: 'web-01' }, 'targets', 'is not a list'],
    ['args that are no map', { args: [1] }, 'args', 'is not a map'],
    ['a timeout that is text', { timeout: '60s' }, 'timeout', 'is not an integer'],
    ['a timeout that is a fraction', { timeout: 0.5 }, 'timeout', 'is not an integer'],
    ['a timeout over 63 bits', { timeout: 2n ** 63n }, 'timeout', 'does not fit 64 bits'],
    ['an epoch over 53 bits', { epoch: 2n ** 60n }, 'epoch', 'is not an integer within 53 bits'],
    ['an epoch below zero', { epoch: -1 }, 'epoch', 'is negative'],
    [
      'a count over 53 bits',
      { return_count: -(2n ** 60n) },
      'return_count',
      'is not an integer within 53 bits',
    ],
    ['a created that is a number', { created: 1 }, 'created', 'is not a time'],
    [
      'a function name that goes on and on',
      { function: 'x'.repeat(1_025) },
      'function',
      'is longer than 1024 bytes',
    ],
    ['metadata that is not text', { metadata: { rule: 1 } }, 'metadata.rule', 'is not text'],
  ])('refuses %s', (_, map, path, problem) => {
    expect(() => job(map)).toThrow(failing(path, problem));
  });

  it('refuses a status it does not know and lists those it knows', () => {
    expect(() => job({ status: 'cancelled' })).toThrow(
      /^Job at status: is none of pending, claimed, .*canceled$/,
    );
  });

  it('refuses more targets than the limit before it reads them', () => {
    const claimed = new Uint8Array(200_000);
    claimed.set([0x81, ...encodeValue('targets'), 0xdd, 0, 1, 0x86, 0xa1]);
    expect(() => jobCodec.decode(claimed)).toThrow(failing('targets', `has more than ${TARGETS_MAX} items`));
    const targets = new Array(TARGETS_MAX + 1).fill(PEEL);
    expect(() => jobCodec.encode(jobCodec.create({ jid: JID, status: 'pending', targets }))).toThrow(
      WireError,
    );
  });

  it('is refused by the writer when a property is wrong, with its place', () => {
    const whole = SAMPLES.Job?.[0] as ReturnType<typeof jobCodec.decode>;
    const wrong = { ...whole, targets: [PEEL, 'a b' as typeof PEEL] };
    expect(() => jobCodec.encode(wrong)).toThrow(failing('targets[1]', 'is not a peel id'));
    expect(() => jobCodec.encode({ ...whole, epoch: 0.5 })).toThrow(
      failing('epoch', 'is not an integer within 53 bits'),
    );
    expect(() => jobCodec.encode({ ...whole, function: 'ä'.repeat(513) })).toThrow(
      failing('function', 'is longer than 1024 bytes'),
    );
  });

  it('is made with zero values for what is not given, except ids', () => {
    const request = execRequestCodec.create({ jid: JID, module: 'test.ping' });
    expect(request).toEqual({
      protocol: 0,
      jid: JID,
      module: 'test.ping',
      id: '',
      args: {},
      epoch: 0,
      reactorDepth: 0,
      deadline: undefined,
    });
    expect(() => execRequestCodec.create({ module: 'test.ping' })).toThrow(failing('jid', 'is missing'));
  });

  it('leaves out what is empty and additive, so that an old reader sees nothing new', () => {
    const bytes = rowCodec.encode(
      rowCodec.create({ jid: JID, peelId: PEEL, returnData: ENCODED_NIL, timestamp: 0n }),
    );
    const text = new TextDecoder('latin1').decode(bytes);
    for (const key of ['outcome', 'proof', 'unreachable', 'error']) expect(text).not.toContain(key);
  });

  it('keeps the owner of a job apart from a master that has no name', () => {
    expect(job({ owner: MASTER }).owner).toBe(MASTER);
    expect(() => job({ owner: 'a.b' })).toThrow(failing('owner', 'is not a master id'));
  });
});
