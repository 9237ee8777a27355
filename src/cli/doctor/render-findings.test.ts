import { describe, expect, it } from 'vitest';
import { paintFor } from '../terminal/paint.ts';
import { renderFindings } from './render-findings.ts';

describe('renderFindings', () => {
  const findings = [
    { check: 'nats', verdict: 'ok', found: 'connected', fix: '' },
    { check: 'masters', verdict: 'fail', found: 'none', fix: 'start one' },
    { check: 'clock', verdict: 'unknown', found: 'no word', fix: 'ask' },
  ] as const;

  it('has a line for each, the fix below it, and a count', () => {
    expect(renderFindings(findings, paintFor(false))).toBe(
      [
        'ok       nats     connected',
        'fail     masters  none',
        '                  fix: start one',
        'unknown  clock    no word',
        '                  fix: ask',
        '',
        '3 checks: 1 ok, 0 warn, 1 fail, 1 unknown',
        '',
      ].join('\n'),
    );
  });

  it('paints the verdict alone, and keeps the columns', () => {
    const [first = ''] = renderFindings(findings, paintFor(true)).split('\n');
    expect(first).toBe('\u001b[32mok\u001b[0m       nats     connected');
  });
});
