import { describe, expect, it } from 'vitest';
import { DEFAULT_TIMEOUT_MS } from '../../client/jobs/new-job.ts';
import { formatDuration } from '../../core/duration.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { execCommand, targetingText, unknownInList } from './exec-command.ts';

const peels = (count: number) => Array.from({ length: count }, (_, i) => `p${i}` as PeelId);

it('the help of --timeout names each default', () => {
  const { doc } = execCommand.options.find(({ name }) => name === 'timeout') ?? { doc: '' };
  for (const ms of Object.values(DEFAULT_TIMEOUT_MS)) expect(doc).toContain(formatDuration(ms));
});

describe('targetingText', () => {
  it('names all of a few, and the first of many', () => {
    expect(targetingText(peels(2))).toBe('Targeting 2 peel(s): [p0 p1]');
    expect(targetingText(peels(10_000))).toMatch(/^Targeting 10000 peel\(s\): \[p0 .* p19 and 9980 more\]$/);
  });
});

describe('unknownInList', () => {
  it.each([
    ['L@p0,nobody,p1,p9', ['nobody', 'p9']],
    ['L@p0,p1', []],
    ['L@web.example', ['web.example']],
    ['p0 or L@nobody', []],
    ['nobody*', []],
  ])('%s', (target, unknown) => {
    expect(unknownInList(target, peels(2))).toEqual(unknown);
  });

  it('knows a name with dots', () => {
    expect(unknownInList('L@web.example', ['web_example' as PeelId])).toEqual([]);
  });
});
