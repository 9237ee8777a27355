/**
 * A metrics registry keeps the numbers that a daemon counts about itself: counters, gauges and histograms, by name and
 * labels. Pure: `add` and `observe` count, `families()` gives what was counted, and metrics-text.ts writes it out. Names
 * and labels are spelled by our own code, so what is wrong with them is a bug (assert).
 *
 * Bound: `SERIES_MAX` combinations of label values for one metric, because some values come from outside (function names).
 * What is over it is counted all the same, under the label value `other`.
 */
import { assert } from '../core/assert.ts';

export interface MetricSpec {
  readonly name: string;
  /** One line for people. */
  readonly help: string;
  /** In the order in which they are written. */
  readonly labels?: readonly string[];
}

export type Labels = Readonly<Record<string, string>>;

export interface Counter {
  /** Grows by one, or by as much as is said; by 0 it only begins to exist. */
  add(labels?: Labels, by?: number): void;
}

export interface Histogram {
  observe(value: number, labels?: Labels): void;
}

export type MetricKind = 'counter' | 'gauge' | 'histogram';

/** One line of a metric: `suffix` is what follows its name. */
export interface Sample {
  readonly suffix: '' | '_bucket' | '_sum' | '_count';
  readonly labels: readonly (readonly [name: string, value: string])[];
  readonly value: number;
}

export interface Family {
  readonly kind: MetricKind;
  readonly name: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

export const SERIES_MAX = 200;
const OTHER = 'other';
const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;
const BOUND_LABEL = 'le';

interface Registered {
  readonly kind: MetricKind;
  readonly spec: MetricSpec;
  readonly samples: () => readonly Sample[];
}

export class Metrics {
  private readonly registered = new Map<string, Registered>();

  counter(spec: MetricSpec): Counter {
    const series = new SeriesMap(spec, () => ({ total: 0 }));
    this.register('counter', spec, () =>
      series.list().map(([labels, { total }]) => ({ suffix: '', labels, value: total })),
    );
    return {
      add(labels = {}, by = 1) {
        assert(by >= 0 && Number.isFinite(by), 'a counter only grows');
        series.of(labels).total += by;
      },
    };
  }

  histogram(spec: MetricSpec & { readonly bounds: readonly number[] }): Histogram {
    const { bounds } = spec;
    assert(
      bounds.every((bound, i) => i === 0 || bound > (bounds[i - 1] ?? bound)),
      'the bounds of a histogram grow',
    );
    const series = new SeriesMap(spec, () => ({ counts: bounds.map(() => 0), count: 0, sum: 0 }));
    this.register('histogram', spec, () =>
      series.list().flatMap(([labels, spread]) => histogramSamples(labels, bounds, spread)),
    );
    return {
      observe(value, labels = {}) {
        const spread = series.of(labels);
        const first = bounds.findIndex((bound) => value <= bound);
        if (first >= 0) spread.counts[first] = (spread.counts[first] ?? 0) + 1;
        spread.count += 1;
        spread.sum += value;
      },
    };
  }

  /** A value that goes up and down and is kept elsewhere: read whenever somebody asks. */
  gauge(spec: MetricSpec, read: () => number | readonly (readonly [Labels, number])[]): void {
    this.register('gauge', spec, () => readSamples(spec, read()));
  }

  /** A total that is kept elsewhere and only grows. */
  total(spec: MetricSpec, read: () => number | readonly (readonly [Labels, number])[]): void {
    this.register('counter', spec, () => readSamples(spec, read()));
  }

  /** In the order of their making. */
  families(): Family[] {
    return [...this.registered.values()].map(({ kind, spec, samples }) => ({
      kind,
      name: spec.name,
      help: spec.help,
      samples: samples(),
    }));
  }

  private register(kind: MetricKind, spec: MetricSpec, samples: () => readonly Sample[]): void {
    const { name, labels = [] } = spec;
    assert(METRIC_NAME.test(name), `${name} is a name of a metric`);
    assert(!this.registered.has(name), `${name} is counted in one place`);
    assert(
      labels.every((label) => LABEL_NAME.test(label) && label !== BOUND_LABEL),
      `the labels of ${name} have usable names`,
    );
    this.registered.set(name, { kind, spec, samples });
  }
}

/** What is counted, by label values. */
class SeriesMap<T> {
  private readonly spec: MetricSpec;
  private readonly fresh: () => T;
  private readonly series = new Map<string, { readonly labels: Sample['labels']; readonly value: T }>();

  constructor(spec: MetricSpec, fresh: () => T) {
    this.spec = spec;
    this.fresh = fresh;
    // Without labels there is one series, and it is there from the start.
    if ((spec.labels ?? []).length === 0) this.of({});
  }

  of(given: Labels): T {
    const labels = labelPairs(this.spec, given);
    const key = JSON.stringify(labels.map(([, value]) => value));
    const known = this.series.get(key);
    if (known !== undefined) return known.value;
    const isOther = labels.every(([, value]) => value === OTHER);
    if (this.series.size >= SERIES_MAX && !isOther)
      return this.of(Object.fromEntries(labels.map(([name]) => [name, OTHER])));
    const value = this.fresh();
    this.series.set(key, { labels, value });
    return value;
  }

  list(): (readonly [Sample['labels'], T])[] {
    return [...this.series.values()].map(({ labels, value }) => [labels, value] as const);
  }
}

function readSamples(
  spec: MetricSpec,
  read: number | readonly (readonly [Labels, number])[],
): readonly Sample[] {
  const series = typeof read === 'number' ? [[{}, read] as const] : read;
  return series.map(([labels, value]) => ({ suffix: '', labels: labelPairs(spec, labels), value }));
}

/** In the order of the declaration, whatever the order in which they were given. */
function labelPairs({ name, labels = [] }: MetricSpec, given: Labels): Sample['labels'] {
  assert(Object.keys(given).length === labels.length, `${name} has the labels [${labels.join(' ')}]`);
  return labels.map((label) => {
    const value = given[label];
    assert(value !== undefined, `${name} has the label ${label}`);
    return [label, value] as const;
  });
}

/** Buckets are cumulative: each counts everything up to its bound. */
function histogramSamples(
  labels: Sample['labels'],
  bounds: readonly number[],
  {
    counts,
    count,
    sum,
  }: { readonly counts: readonly number[]; readonly count: number; readonly sum: number },
): Sample[] {
  let upToHere = 0;
  const buckets = bounds.map((bound, i): Sample => {
    upToHere += counts[i] ?? 0;
    return { suffix: '_bucket', labels: [...labels, [BOUND_LABEL, String(bound)]], value: upToHere };
  });
  return [
    ...buckets,
    { suffix: '_bucket', labels: [...labels, [BOUND_LABEL, '+Inf']], value: count },
    { suffix: '_sum', labels, value: sum },
    { suffix: '_count', labels, value: count },
  ];
}
