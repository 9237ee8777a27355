import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type StateBench, stateBench } from '../../../test/harness/states/state-bench.ts';
import type { WireMap, WireValue } from '../../wire/msgpack/wire-value.ts';
import { fileSerialize } from './serialize.ts';

const DATA = {
  port: 80,
  name: 'grüße',
  on: true,
  none: null,
  rate: 1.5,
  list: [1, { a: 'yes' }],
  map: {},
  big: 2n ** 60n,
};
const SETTINGS = { app: { config: { debug: false } }, word: 'x' };

const JSON_TEXT = `{
  "big": 1152921504606846976,
  "list": [
    1,
    {
      "a": "yes"
    }
  ],
  "map": {},
  "name": "grüße",
  "none": null,
  "on": true,
  "port": 80,
  "rate": 1.5
}
`;
const YAML_TEXT = `big: 1152921504606846976
list:
- 1
- a: 'yes'
map: {}
name: grüße
none: null
'on': true
port: 80
rate: 1.5
`;

describe('file.serialize', () => {
  it.each<[string, WireMap, string]>([
    ['JSON', { dataset: DATA, serializer: 'json' }, JSON_TEXT],
    ['JSON by its older name', { dataset: DATA, formatter: 'JSON' }, JSON_TEXT],
    ['YAML', { dataset: DATA }, YAML_TEXT],
    ['a list', { dataset: [1, 'b'], serializer: 'json' }, '[\n  1,\n  "b"\n]\n'],
    ['a setting', { dataset_pillar: 'app:config', serializer: 'yaml' }, 'debug: false\n'],
  ])('writes %s as Salt does', async (_, args, text) => {
    const { settle, look } = stateBench({ settings: SETTINGS });
    const { details } = await settle(fileSerialize, '/a/f', { ...args, makedirs: true });
    expect(details?.bytes).toBe(String(Buffer.byteLength(text)));
    expect(await look('/a/f')).toBe(`file 0644 0:0 ${text}`);
  });

  const DECLARED = { dataset: { a: 1 }, mode: '0640', user: 'nobody', group: 'nogroup' };
  it.each<[string, (bench: StateBench) => Promise<unknown>, string]>([
    ['mode', ({ system }) => system.files.chmod('/etc/f', 0o600), 'mode 0600 → 0640'],
    ['owner', ({ system }) => system.files.chown('/etc/f', { uid: 0 }), 'owner root → nobody'],
    ['group', ({ system }) => system.files.chown('/etc/f', { gid: 0 }), 'group root → nogroup'],
    [
      'content',
      ({ put }) => put('/etc/f', 'a: 2\n', 0o640),
      '--- /etc/f\n+++ /etc/f\n@@ -1,1 +1,1 @@\n-a: 2\n+a: 1',
    ],
  ])('notices a change of the %s and names it', async (_, change, said) => {
    const bench = stateBench();
    await bench.settle(fileSerialize, '/etc/f', DECLARED);
    await change(bench);
    const { diff } = await bench.settle(fileSerialize, '/etc/f', DECLARED);
    expect(diff.slice(0, said.length)).toBe(said);
    expect(await bench.look('/etc/f')).toBe('file 0640 65534:65534 a: 1\n');
  });

  it.each([
    [
      'json',
      '{"z": 1.0, "m": {"x": 1, "y": [1]}}',
      '{\n  "m": {\n    "x": 2,\n    "y": [\n      1\n    ]\n  },\n  "n": 3,\n  "z": 1.0\n}\n',
    ],
    ['yaml', '# lost\nz: 1.0\nm: {x: 1, y: [1]}\n', 'm:\n  x: 2\n  y:\n  - 1\nn: 3\nz: 1.0\n'],
    ['yaml', '7: seven\n', '7: seven\nm:\n  x: 2\nn: 3\n'],
    ['json', '  \n', '{\n  "m": {\n    "x": 2\n  },\n  "n": 3\n}\n'],
  ])('merges into %s %j', async (serializer, before, after) => {
    const { settle, look, put } = stateBench();
    await put('/etc/f', before);
    await settle(fileSerialize, '/etc/f', {
      serializer,
      merge_if_exists: true,
      dataset: { m: { x: 2 }, n: 3 },
    });
    expect(await look('/etc/f')).toBe(`file 0644 0:0 ${after}`);
  });

  it('makes no file with create: false', async () => {
    const { settle } = stateBench();
    expect((await settle(fileSerialize, '/none/f', { dataset: {}, create: false })).steps).toEqual([]);
  });

  it.each<[WireMap, string]>([
    [{}, 'dataset is missing'],
    [{ dataset: 'text' }, 'dataset must be a map or a list'],
    [{ dataset_pillar: 'word' }, 'word must be a map or a list'],
    [{ dataset_pillar: 'nowhere' }, 'there is no setting nowhere'],
    [{ dataset: {}, dataset_pillar: 'app' }, 'only one of dataset and dataset_pillar can be given'],
    [{ dataset: {}, serializer: 'toml' }, 'serializer must be json or yaml, not toml'],
    [{ dataset: { a: new Uint8Array(1) }, serializer: 'json' }, 'JSON cannot hold bytes'],
    [{ dataset: { a: Number.NaN }, serializer: 'json' }, 'JSON cannot hold NaN'],
  ])('refuses %j', async (args, message) => {
    const { plan } = stateBench({ settings: SETTINGS });
    await expect(plan(fileSerialize, '/etc/f', args)).rejects.toThrow(message);
  });

  it.each([
    ['json', '{"a": }', 'it is no valid json'],
    ['json', '[1]', 'it holds no map'],
    ['yaml', 'a: 1\na: 2\n', 'line 2: the key a is there twice'],
    ['yaml', '\0', 'it is not text'],
  ])('does not merge into %s %j', async (serializer, before, message) => {
    const { plan, put } = stateBench();
    await put('/etc/f', before);
    const args = { serializer, merge_if_exists: true, dataset: { a: 1 } };
    await expect(plan(fileSerialize, '/etc/f', args)).rejects.toThrow(`cannot merge into /etc/f: ${message}`);
  });

  it('settles any data, also merged into other data', async () => {
    const { value } = fc.letrec<{ value: WireValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.array(tie('value')),
        fc.dictionary(
          fc.string().filter((key) => key !== '__proto__'),
          tie('value'),
        ),
      ),
    }));
    const map = fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      value,
    );
    await fc.assert(
      fc.asyncProperty(map, map, fc.constantFrom('json', 'yaml'), async (first, second, serializer) => {
        const { settle, system } = stateBench();
        await settle(fileSerialize, '/etc/f', { dataset: first, serializer });
        await settle(fileSerialize, '/etc/f', { dataset: second, serializer, merge_if_exists: true });
        if (serializer === 'json')
          expect(JSON.parse(Buffer.from((await system.files.read('/etc/f')) ?? []).toString())).toMatchObject(
            JSON.parse(JSON.stringify(second)),
          );
      }),
      { numRuns: 60 },
    );
  });
});
