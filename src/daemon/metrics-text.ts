/** `metricsText` writes metrics as Prometheus reads them, in its text format, version 0.0.4. */
import type { Family, Sample } from './metrics.ts';

export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function metricsText(families: readonly Family[]): string {
  return families
    .map(({ kind, name, help, samples }) =>
      [
        `# HELP ${name} ${escapeHelp(help)}\n`,
        `# TYPE ${name} ${kind}\n`,
        ...samples.map(
          (sample) => `${name}${sample.suffix}${labelText(sample)} ${numberText(sample.value)}\n`,
        ),
      ].join(''),
    )
    .join('');
}

function labelText({ labels }: Sample): string {
  if (labels.length === 0) return '';
  return `{${labels.map(([name, value]) => `${name}="${escapeValue(value)}"`).join(',')}}`;
}

function escapeValue(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}
