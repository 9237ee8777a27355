import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Metrics, SERIES_MAX } from './metrics.ts';

const samplesOf = (metrics: Metrics, name: string) =>
  metrics.families().find((family) => family.name === name)?.samples ?? [];

describe('a counter', () => {
  it('without labels is there from the start; with labels when it is first counted, by 0 if need be', () => {
    const metrics = new Metrics();
    const plain = metrics.counter({ name: 'plain_total', help: 'h' });
    const labelled = metrics.counter({ name: 'labelled_total', help: 'h', labels: ['a'] });
    expect(samplesOf(metrics, 'plain_total')).toEqual([{ suffix: '', labels: [], value: 0 }]);
    expect(samplesOf(metrics, 'labelled_total')).toEqual([]);
    plain.add();
    plain.add({}, 2.5);
    labelled.add({ a: 'x' }, 0);
    expect(samplesOf(metrics, 'plain_total')[0]?.value).toBe(3.5);
    expect(samplesOf(metrics, 'labelled_total')).toEqual([{ suffix: '', labels: [['a', 'x']], value: 0 }]);
  });

  it('has its labels in the order of the declaration, and one series whatever the order they are given in', () => {
    const metrics = new Metrics();
    const counter = metrics.counter({ name: 'c_total', help: 'h', labels: ['b', 'a'] });
    counter.add({ a: '1', b: '2' });
    counter.add({ b: '2', a: '1' });
    expect(samplesOf(metrics, 'c_total')).toEqual([
      {
        suffix: '',
        labels: [
          ['b', '2'],
          ['a', '1'],
        ],
        value: 2,
      },
    ]);
  });

  it('never loses a count: the sum over its series is what was added, and series are bounded', () => {
    const anyLabels = fc.record({ a: fc.string(), b: fc.string({ maxLength: 2 }) });
    fc.assert(
      fc.property(fc.array(fc.tuple(anyLabels, fc.nat(9)), { maxLength: 2 * SERIES_MAX }), (adds) => {
        const metrics = new Metrics();
        const counter = metrics.counter({ name: 'c_total', help: 'h', labels: ['a', 'b'] });
        for (const [labels, by] of adds) counter.add(labels, by);
        const samples = samplesOf(metrics, 'c_total');
        const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
        expect(sum(samples.map(({ value }) => value))).toBe(sum(adds.map(([, by]) => by)));
        expect(samples.length).toBeLessThanOrEqual(SERIES_MAX + 1);
      }),
      { numRuns: 50 },
    );
  });

  it('counts what is over the bound under `other`', () => {
    const metrics = new Metrics();
    const counter = metrics.counter({ name: 'c_total', help: 'h', labels: ['function'] });
    for (let i = 0; i < SERIES_MAX + 5; i++) counter.add({ function: `f${i}` });
    counter.add({ function: 'f0' });
    const samples = samplesOf(metrics, 'c_total');
    expect(samples).toHaveLength(SERIES_MAX + 1);
    expect(samples[0]).toMatchObject({ labels: [['function', 'f0']], value: 2 });
    expect(samples.at(-1)).toMatchObject({ labels: [['function', 'other']], value: 5 });
  });

  it.each([
    ['a name with a blank', () => new Metrics().counter({ name: 'a b', help: 'h' })],
    [
      'a label that Prometheus keeps for itself',
      () => new Metrics().counter({ name: 'a', help: 'h', labels: ['le'] }),
    ],
    [
      'a label it was not declared with',
      () => new Metrics().counter({ name: 'a', help: 'h' }).add({ x: '1' }),
    ],
    ['a step back', () => new Metrics().counter({ name: 'a', help: 'h' }).add({}, -1)],
    [
      'a second one of the same name',
      () => {
        const metrics = new Metrics();
        metrics.counter({ name: 'a', help: 'h' });
        metrics.gauge({ name: 'a', help: 'h' }, () => 1);
      },
    ],
  ])('%s is a bug', (_what, doIt) => {
    expect(doIt).toThrow();
  });
});

describe('a gauge and a total', () => {
  it('are read when somebody asks', () => {
    const metrics = new Metrics();
    let value = 1;
    metrics.gauge({ name: 'g', help: 'h' }, () => value);
    metrics.total({ name: 't_total', help: 'h', labels: ['k'] }, () => [[{ k: 'x' }, value * 10]]);
    value = 2;
    expect(metrics.families().map(({ kind, samples }) => [kind, samples[0]?.value])).toEqual([
      ['gauge', 2],
      ['counter', 20],
    ]);
  });
});

describe('a histogram', () => {
  const BOUNDS = [0.1, 1, 10];

  it('counts each value in every bucket whose bound it does not exceed', () => {
    const metrics = new Metrics();
    const histogram = metrics.histogram({ name: 'h', help: 'h', labels: ['f'], bounds: BOUNDS });
    for (const value of [0.1, 0.5, 5, 50]) histogram.observe(value, { f: 'x' });
    expect(
      samplesOf(metrics, 'h').map(({ suffix, labels, value }) => [suffix, labels.at(-1)?.[1], value]),
    ).toEqual([
      ['_bucket', '0.1', 1],
      ['_bucket', '1', 2],
      ['_bucket', '10', 3],
      ['_bucket', '+Inf', 4],
      ['_sum', 'x', 55.6],
      ['_count', 'x', 4],
    ]);
  });

  it('has buckets that only grow, the last one with everything', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 100, noNaN: true })), (values) => {
        const metrics = new Metrics();
        const histogram = metrics.histogram({ name: 'h', help: 'h', bounds: BOUNDS });
        for (const value of values) histogram.observe(value);
        const buckets = samplesOf(metrics, 'h').filter(({ suffix }) => suffix === '_bucket');
        const expected = [...BOUNDS, Number.POSITIVE_INFINITY].map(
          (bound) => values.filter((value) => value <= bound).length,
        );
        expect(buckets.map(({ value }) => value)).toEqual(expected);
      }),
    );
  });
});
