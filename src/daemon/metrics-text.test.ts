import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Metrics } from './metrics.ts';
import { metricsText } from './metrics-text.ts';

describe('the text of metrics', () => {
  it('is what Prometheus reads', () => {
    const metrics = new Metrics();
    metrics.counter({ name: 'jobs_total', help: 'Jobs.', labels: ['status'] }).add({ status: 'complete' }, 3);
    metrics.histogram({ name: 'took_seconds', help: 'Time.', bounds: [0.5] }).observe(0.25);
    metrics.gauge({ name: 'up', help: 'It is.' }, () => Number.POSITIVE_INFINITY);
    expect(metricsText(metrics.families())).toBe(
      [
        '# HELP jobs_total Jobs.',
        '# TYPE jobs_total counter',
        'jobs_total{status="complete"} 3',
        '# HELP took_seconds Time.',
        '# TYPE took_seconds histogram',
        'took_seconds_bucket{le="0.5"} 1',
        'took_seconds_bucket{le="+Inf"} 1',
        'took_seconds_sum 0.25',
        'took_seconds_count 1',
        '# HELP up It is.',
        '# TYPE up gauge',
        'up +Inf',
        '',
      ].join('\n'),
    );
  });

  it('no label value can end its line or its quotes: it reads back as it was', () => {
    const nasty = fc.string({ unit: fc.constantFrom('\\', '"', '\n', 'n', '}', ',', '=', ' ', 'ä') });
    fc.assert(
      fc.property(nasty, nasty, (a, b) => {
        const metrics = new Metrics();
        metrics.counter({ name: 'c_total', help: `${a}\n${b}`, labels: ['a', 'b'] }).add({ a, b });
        const lines = metricsText(metrics.families()).split('\n');
        expect(lines).toHaveLength(4);
        const read = /^c_total\{a="((?:[^"\\]|\\.)*)",b="((?:[^"\\]|\\.)*)"\} 1$/.exec(lines[2] ?? '');
        expect([unescaped(read?.[1]), unescaped(read?.[2])]).toEqual([a, b]);
      }),
    );
  });
});

function unescaped(text = ''): string {
  return text.replaceAll(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char));
}
