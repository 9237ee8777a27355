import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryOf } from '../../../test/fixtures/go/arbitraries.ts';
import { hexOf } from '../../../test/fixtures/go/describe.ts';
import { SAMPLES } from '../../../test/fixtures/go/samples.ts';
import { REGISTRY } from './registry.ts';

describe('the registry', () => {
  it('holds every codec of wire/', async () => {
    const wire = resolve(import.meta.dirname, '..');
    const files = readdirSync(wire, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
    );
    const modules = await Promise.all(
      files.map((file) => import(join(wire, file)) as Promise<Record<string, unknown>>),
    );
    const exported = modules
      .flatMap((each) => Object.entries(each))
      .filter(([name, codec]) => name.endsWith('Codec') && typeof codec === 'object');
    expect(exported.length).toBeGreaterThan(20);
    expect(exported.filter(([, codec]) => !REGISTRY.includes(codec as never)).map(([name]) => name)).toEqual(
      [],
    );
  });

  it('has a sample for every codec and no codec twice', () => {
    expect(REGISTRY.map(({ name }) => name).sort()).toEqual(Object.keys(SAMPLES).sort());
  });

  it('has a first sample that fills every field', () => {
    for (const { name, fields = {} } of REGISTRY.filter((codec) => codec.name !== 'DispatchReply')) {
      const sample = SAMPLES[name]?.[0] as Record<string, unknown>;
      const empty = Object.entries(fields).filter(([property, { type }]) => type.isEmpty(sample[property]));
      expect(empty.map(([property]) => `${name}.${property}`)).toEqual([]);
    }
  });

  it('documents every field in one line that ends like a sentence', () => {
    for (const { doc, fields = {} } of REGISTRY) {
      for (const line of [doc, ...Object.values(fields).map((field) => field.doc)]) {
        expect(line).toMatch(/^[^\n]{4,140}[.?]$/);
      }
    }
  });

  it('has no key twice in a record, and additive keys are left out when empty', () => {
    for (const { fields = {} } of REGISTRY) {
      const lines = Object.values(fields);
      expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length);
    }
    const additive = REGISTRY.filter(({ doc }) => !doc.startsWith('Additive')).flatMap(({ fields = {} }) =>
      Object.values(fields).filter(({ doc }) => doc.startsWith('Additive')),
    );
    expect(additive.length).toBeGreaterThan(8);
    expect(additive.filter(({ omitEmpty }) => omitEmpty !== true)).toEqual([]);
  });
});

describe.each(REGISTRY)('$name', (codec) => {
  it('reads back every value it writes', () => {
    fc.assert(
      fc.property(arbitraryOf(codec), (value) => {
        const bytes = codec.encode(value);
        const read = codec.decode(bytes);
        expect(read).toEqual(value);
        expect(hexOf(codec.encode(read))).toBe(hexOf(bytes));
      }),
      { numRuns: 100 },
    );
  });
});
