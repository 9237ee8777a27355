/** Both ways against Go: its bytes here, our bytes there. scripts/record-go-fixtures.sh makes the files. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bytesOfHex, describeValue, hexOf } from '../../test/fixtures/go/describe.ts';
import { MASTER, SAMPLES } from '../../test/fixtures/go/samples.ts';
import { decodeValue } from './msgpack/msgpack-decode.ts';
import { encodeValue, encodeWith } from './msgpack/msgpack-encode.ts';
import { execResponseCodec } from './records/exec.ts';
import { jobCodec } from './records/job.ts';
import { returnCodec, rowCodec } from './records/job-return.ts';
import { REGISTRY } from './records/registry.ts';

interface Fixture {
  readonly codec: string;
  readonly case: string;
  readonly hex: string;
  readonly value: unknown;
}

const folder = new URL('../../test/fixtures/go/', import.meta.url);
const read = <T>(file: string): readonly T[] => JSON.parse(readFileSync(new URL(file, folder), 'utf8'));

const fromGo = read<Fixture>('go-records.json');
/** All codecs but those that are not MessagePack. */
const CODECS = REGISTRY.filter((codec) => codec.name !== 'Revision' && codec.name !== 'Spread');
const codecNamed = (name: string) => CODECS.find((codec) => codec.name === name);
const fixture = (codec: string, name: string) => {
  const found = fromGo.find((candidate) => candidate.codec === codec && candidate.case === name);
  return bytesOfHex(found?.hex ?? '');
};

describe('what Go writes', () => {
  const records = fromGo.filter(({ codec }) => codec !== 'value');

  it('exists for every codec', () => {
    const recorded = new Set(records.map(({ codec }) => codec));
    expect(CODECS.map(({ name }) => name).filter((name) => !recorded.has(name))).toEqual([]);
  });

  it.each(records)('as $codec, $case, is read and written again byte for byte', ({ codec, hex, value }) => {
    const known = codecNamed(codec);
    expect(hexOf(known?.encode(known.decode(bytesOfHex(hex))) ?? Uint8Array.of())).toBe(hex);
    expect(describeValue(decodeValue(bytesOfHex(hex)))).toEqual(value);
  });

  it.each(fromGo.filter(({ codec }) => codec === 'value'))(
    'as $case is read and written',
    ({ case: name, hex, value }) => {
      const read = decodeValue(bytesOfHex(hex));
      expect(describeValue(read)).toEqual(value);
      // A number has no memory of its marker: say which Go type is meant.
      const asInt64 = name.startsWith('int64') ? BigInt(read as number) : read;
      const written = name.startsWith('uint64')
        ? encodeWith('', (writer) => writer.uint64(BigInt(read as number)))
        : encodeValue(asInt64);
      expect(hexOf(written)).toBe(hex);
    },
  );

  it('as a Job gives these properties', () => {
    expect(jobCodec.decode(fixture('Job', 'full'))).toEqual({
      jid: '2hPx1FNsSgJMqVn5bLSTXeBQMpO',
      function: 'state.apply',
      args: { state: 'webserver', test: true },
      targets: ['web-01', 'web-02_example_com'],
      timeout: 300_000_000_000n,
      status: 'running',
      created: 1_700_000_000_123_456_789n,
      updated: 1_700_000_000_000_000_000n,
      user: 'alice',
      owner: MASTER,
      epoch: 7,
      deadline: 1_700_000_300_123_456_789n,
      reclaimCount: 3,
      offlineAtDispatch: ['web-01'],
      stateId: 'webserver',
      targetExpr: 'web*',
      returnCount: 200,
      successCount: 70_000,
      protocol: 1,
      metadata: { rule: 'r', source: 'reactor' },
      execEpoch: Number.MAX_SAFE_INTEGER,
    });
  });

  it('into return_data survives a master that only adds an outcome', () => {
    const sent = returnCodec.decode(fixture('Return', 'minimal'));
    const returnData = fixture('ExecResponse', 'full');
    const stored = rowCodec.create({ ...sent, returnData, outcome: 'returned' });
    const read = rowCodec.decode(rowCodec.encode(stored));
    expect(hexOf(read.returnData)).toBe(hexOf(fixture('ExecResponse', 'full')));
    expect(execResponseCodec.decode(read.returnData).results[0]?.duration).toBe(1_500_000_000n);
    expect(hexOf(read.returnData)).toContain(`${hexOf(encodeValue('duration'))}d3`);
  });

  it('before an additive key existed is read with its zero value', () => {
    const old = fixture('MasterHeartbeat', 'as Zester 0.7 writes it');
    const codec = codecNamed('MasterHeartbeat');
    expect(codec?.decode(old)).toMatchObject({ leaving: false, pid: 0, host: '', since: undefined, jobs: 0 });
  });

  it.each([
    ['ExecResponse', 'before the code', { error: 'some' }],
    ['ResolveResponse', 'before the code', { error: 'e' }],
    ['DispatchReply', 'refused', { error: 'decode: EOF' }],
  ])('before errors had a code, as %s, is read with none', (codec, name, said) => {
    expect(codecNamed(codec)?.decode(fixture(codec, name))).toMatchObject({ ...said, code: '' });
  });
});

describe('our encoder', () => {
  const samples = CODECS.flatMap((codec) =>
    (SAMPLES[codec.name] ?? []).map((sample, index) => ({ codec, sample, name: `sample ${index + 1}` })),
  );
  const ours = samples.map(({ codec, sample, name }): Fixture => {
    const bytes = codec.encode(sample);
    return { codec: codec.name, case: name, hex: hexOf(bytes), value: describeValue(decodeValue(bytes)) };
  });

  it('writes the bytes that Go has checked', async () => {
    const lines = ours.map((line) => JSON.stringify(line)).join(',\n');
    await expect(`[\n${lines}\n]\n`).toMatchFileSnapshot('../../test/fixtures/go/ts-records.json');
  });

  it('is read by Go as what was meant', () => {
    const verdicts = read<{ codec: string; case: string; hex: string; go: string }>('ts-verified.json');
    expect(verdicts).toEqual(
      ours.map(({ codec, case: name, hex }) => ({ codec, case: name, hex, go: 'same' })),
    );
  });
});
